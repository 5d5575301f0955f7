package dev.silkroute.live;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.PeerType;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Json;
import dev.silkroute.net.Timestamps;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.view.EventAttributes;
import dev.silkroute.route.view.EventRoute;
import dev.silkroute.rpki.RouteVerdicts;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Encodes messages as JSON objects with the fields of RIS Live's {@code ris_message} and, beside them, those of {@code
 * route.schema.json}. {@code docs/reference/stream.md} describes them.
 */
final class RisLiveJson {
    private static final int MICROS_SCALE = 6;

    private RisLiveJson() {}

    /**
     * Encodes a message.
     *
     * @param events positioned on the first event of the message; afterwards on the event after the message
     * @param index of that event in the batch
     * @param count number of events of the message
     * @param verdicts of the RPKI about each event of the batch
     */
    static byte[] encode(MessageView message, RouteCursor events, int index, int count, VerdictCodes verdicts) {
        return Json.utf8(json -> {
            json.writeStartObject();
            writeCommon(message, events, json);
            writePeer(message, json);
            if (message.kind() == EventKind.ANNOUNCE) {
                json.writeRaw("," + message.attributeFields());
            }
            if (message.kind().isRoute()) {
                writeRoutes(message, routes(message, events, index, count, verdicts), json);
            } else {
                events.next();
            }
            json.writeEndObject();
        });
    }

    private static void writeCommon(MessageView message, RouteCursor event, JsonGenerator json) throws IOException {
        RouteBatch batch = message.batch();
        long routerTime = event.routerTimeMicros();
        json.writeNumberField(
                "timestamp", BigDecimal.valueOf(routerTime == 0 ? batch.receivedAtMicros() : routerTime, MICROS_SCALE));
        json.writeStringField("id", batch.sessionId() + "-" + message.sequence());
        json.writeStringField("host", batch.router());
        json.writeStringField("type", MessageType.of(message.kind()).name());
        if (message.kind() == EventKind.PEER_UP || message.kind() == EventKind.PEER_DOWN) {
            json.writeStringField("state", message.kind() == EventKind.PEER_UP ? "connected" : "down");
        }
        json.writeStringField(
                "event", message.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.writeStringField("collector", batch.collector());
        if (!batch.router().isEmpty()) {
            json.writeStringField("router", batch.router());
            json.writeStringField("router_address", batch.routerAddress());
        }
        json.writeNumberField("session_id", batch.sessionId());
        json.writeNumberField("sequence", message.sequence());
        json.writeStringField("received_at", Timestamps.text(batch.receivedAtMicros()));
        if (routerTime != 0) {
            json.writeStringField("router_time", Timestamps.text(routerTime));
        }
        json.writeBooleanField("synthetic", event.synthetic());
        if (event.isTableDump()) {
            json.writeBooleanField("table_dump", true);
        }
        if (event.coversAllViews()) {
            json.writeBooleanField("all_views", true);
        }
        if (message.family() != 0) {
            json.writeNumberField("afi", Family.afi(message.family()));
            json.writeNumberField("safi", Family.safi(message.family()));
            json.writeStringField("family", message.familyName());
        }
    }

    private static void writePeer(MessageView message, JsonGenerator json) throws IOException {
        PeerEntry peer = message.peer();
        if (peer == null) {
            return;
        }
        json.writeStringField("peer", Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()));
        // A string in RIS Live
        json.writeStringField("peer_asn", Integer.toUnsignedString(peer.asn()));
        json.writeStringField("peer_type", PeerType.text(peer.peerType()));
        json.writeStringField("peer_distinguisher", Hex.of(peer.distinguisher()));
        json.writeStringField("peer_bgp_id", Addresses.ipv4(peer.bgpId()));
        json.writeStringField("rib_view", peer.view().text());
    }

    private static List<EventRoute> routes(
            MessageView message, RouteCursor events, int index, int count, VerdictCodes verdicts) {
        List<EventRoute> routes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            routes.add(EventRoute.of(
                    message.family(),
                    events.nlri(),
                    message.batch().bytes(),
                    events.marking(),
                    verdicts.verdicts(index + i)));
            events.next();
        }
        return routes;
    }

    private static void writeRoutes(MessageView message, List<EventRoute> routes, JsonGenerator json)
            throws IOException {
        boolean plain = message.isPlain();
        if (plain) {
            if (message.kind() == EventKind.ANNOUNCE) {
                json.writeArrayFieldStart("announcements");
                json.writeStartObject();
                PathAttributes attributes = message.attributes();
                NextHop nextHop = attributes == null ? null : attributes.nextHop();
                if (nextHop != null) {
                    json.writeStringField("next_hop", nextHop.text());
                }
                writePrefixes("prefixes", routes, json);
                json.writeEndObject();
                json.writeEndArray();
            } else {
                writePrefixes("withdrawals", routes, json);
            }
        }
        if (!plain || routes.stream().anyMatch(RisLiveJson::hasMoreThanPrefix)) {
            json.writeArrayFieldStart("routes");
            for (EventRoute route : routes) {
                json.writeStartObject();
                route.write(json);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    private static boolean hasMoreThanPrefix(EventRoute route) {
        return route.pathId() != null
                || !route.labels().isEmpty()
                || PathMarking.isMarked(route.marking())
                || !route.verdicts().equals(RouteVerdicts.NONE);
    }

    private static void writePrefixes(String name, List<EventRoute> routes, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (EventRoute route : routes) {
            json.writeString(route.prefix());
        }
        json.writeEndArray();
    }

    /** Returns the fields of an attribute set, without braces. */
    static String attributeFields(MessageView message, int from, int to) {
        PathAttributes set = message.attributes();
        String object = Json.string(json -> {
            json.writeStartObject();
            if (set == null) {
                json.writeStringField("attributes_raw", Hex.of(message.batch().bytes(), from, to));
            } else {
                writeRisAttributes(set, json);
                EventAttributes.writeFields(set, json);
            }
            json.writeEndObject();
        });
        return object.substring(1, object.length() - 1);
    }

    /** Writes the attributes that RIS Live has in a form of its own. Its {@code origin} and {@code med} are ours. */
    private static void writeRisAttributes(PathAttributes set, JsonGenerator json) throws IOException {
        AsPath path = set.asPath();
        if (path != null) {
            json.writeArrayFieldStart("path");
            for (AsPath.Segment segment : path.segments()) {
                boolean isSet = segment.type() == SegmentType.SET || segment.type() == SegmentType.CONFED_SET;
                if (isSet) {
                    json.writeStartArray();
                }
                for (long asn : segment.asns()) {
                    json.writeNumber(asn);
                }
                if (isSet) {
                    json.writeEndArray();
                }
            }
            json.writeEndArray();
        }
        if (set.has(AttributeCode.COMMUNITIES)) {
            Bytes communities = set.value(AttributeCode.COMMUNITIES).orElse(Bytes.EMPTY);
            json.writeArrayFieldStart("community");
            for (int at = 0; at < communities.length(); at += Integer.BYTES) {
                json.writeStartArray();
                json.writeNumber(communities.u16(at));
                json.writeNumber(communities.u16(at + 2));
                json.writeEndArray();
            }
            json.writeEndArray();
        }
        if (set.has(AttributeCode.AGGREGATOR)) {
            Bytes aggregator = set.value(AttributeCode.AGGREGATOR).orElse(Bytes.EMPTY);
            json.writeStringField(
                    "aggregator",
                    Integer.toUnsignedString(aggregator.i32(0)) + ":" + Addresses.ipv4(aggregator.i32(4)));
        }
    }
}
