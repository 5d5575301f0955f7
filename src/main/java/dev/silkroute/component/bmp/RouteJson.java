package dev.silkroute.component.bmp;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.RouteCursor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The events of one batch as JSON objects, as {@code docs/json.md} and {@code docs/schema/route.schema.json} say: names
 * and texts are those of {@code v_route_history}, and what an event doesn't have isn't there. What events share (the
 * batch, a peer, an attribute set) is written once and used again. Not thread-safe.
 */
final class RouteJson {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final RouteBatch batch;
    private final String origin;
    private final @Nullable String[] peers;
    private final @Nullable String[] attributes;

    RouteJson(RouteBatch batch) {
        this.batch = batch;
        JsonText begun = new JsonText().begin().field("collector", batch.collector());
        if (!batch.router().isEmpty()) {
            begun.field("router", batch.router()).field("router_address", batch.routerAddress());
        }
        origin = fields(
                begun.field("session_id", batch.sessionId()).field("received_at", time(batch.receivedAtMicros())));
        peers = new String[batch.peerCount()];
        attributes = new String[batch.attributeSetCount()];
    }

    private static String time(long micros) {
        return MICROS.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    /** What stands between the braces. */
    private static String fields(JsonText object) {
        return object.toString().substring(1);
    }

    /** The event that the cursor stands on, UTF-8. */
    byte[] event(RouteCursor cursor, RouteChange change) {
        EventKind kind = cursor.kind();
        JsonText json = new JsonText()
                .begin()
                .field("event", kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .json(origin)
                .field("sequence", cursor.sequence());
        if (cursor.routerTimeMicros() != 0) {
            json.field("router_time", time(cursor.routerTimeMicros()));
        }
        json.field("synthetic", cursor.synthetic());
        if (cursor.isTableDump()) {
            json.field("table_dump", true);
        }
        if (kind.isRoute() && !change.text().isEmpty()) {
            json.field("change", change.text());
        }
        if (batch.redecoded()) {
            json.field("redecoded", true);
        }
        if (cursor.peerIndex() >= 0) {
            json.json(peer(cursor.peerIndex()));
        }
        if (kind == EventKind.PEER_DOWN || kind == EventKind.END_OF_RIB && cursor.coversAllViews()) {
            json.field("all_views", cursor.coversAllViews());
        }
        if (kind.isRoute() || kind == EventKind.END_OF_RIB && !cursor.coversAllViews()) {
            int family = cursor.family();
            json.field("afi", Family.afi(family))
                    .field("safi", Family.safi(family))
                    .field("family", Family.text(family));
        }
        if (kind.isRoute()) {
            nlri(json, cursor.family(), cursor.nlri());
            marking(json, cursor.marking());
        }
        if (cursor.attributeSet() >= 0) {
            json.json(attributes(cursor.attributeSet()));
        }
        return json.end().toString().getBytes(StandardCharsets.UTF_8);
    }

    private String peer(int index) {
        String known = peers[index];
        if (known == null) {
            PeerEntry peer = batch.peer(index);
            known = fields(new JsonText()
                    .begin()
                    .field("peer_type", PerPeerHeader.peerTypeText(peer.peerType()))
                    .field("peer_distinguisher", Hex.of(peer.distinguisher()))
                    .field("peer_address", Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()))
                    .field("peer_asn", Integer.toUnsignedLong(peer.asn()))
                    .field("peer_bgp_id", Addresses.ipv4(peer.bgpId()))
                    .field("rib_view", peer.view().text()));
            peers[index] = known;
        }
        return known;
    }

    private void nlri(JsonText json, int family, NlriReader nlri) {
        if (!nlri.isPrefix()) {
            json.field("nlri", text(family, nlri));
        } else {
            String prefix = Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
            if (nlri.hasRd()) {
                String rd = RouteDistinguisher.text(nlri.rd());
                json.field("rd", rd).field("prefix", prefix).field("nlri", rd + " " + prefix);
            } else {
                json.field("prefix", prefix).field("nlri", prefix);
            }
            if (nlri.labelCount() > 0) {
                json.name("labels").beginArray();
                for (int i = 0; i < nlri.labelCount(); i++) {
                    json.value(nlri.label(i));
                }
                json.endArray();
            }
        }
        if (nlri.hasPathId()) {
            json.field("path_id", Integer.toUnsignedLong(nlri.pathId()));
        }
    }

    /** What the router says of the path itself (draft-ietf-grow-bmp-path-marking-tlv). */
    private static void marking(JsonText json, long marking) {
        if (PathMarking.isMarked(marking)) {
            json.field("path_status", PathMarking.statusTexts(PathMarking.status(marking)));
        }
        if (PathMarking.hasReason(marking)) {
            json.field("path_reason", PathMarking.reasonText(PathMarking.reason(marking)));
        }
    }

    /** The canonical text; hex where the bytes are none of the family's forms. */
    private String text(int family, NlriReader nlri) {
        try {
            return NlriText.of(family, batch.bytes(), nlri.from(), nlri.to());
        } catch (DecodeException e) {
            return Hex.of(batch.bytes(), nlri.from(), nlri.to());
        }
    }

    private String attributes(int index) {
        String known = attributes[index];
        if (known == null) {
            int from = batch.attributesFrom(index);
            int to = batch.attributesTo(index);
            try {
                known = attributes(PathAttributes.decode(batch.bytes(), from, to));
            } catch (DecodeException e) {
                known = fields(new JsonText().begin().field("attributes_raw", Hex.of(batch.bytes(), from, to)));
            }
            attributes[index] = known;
        }
        return known;
    }

    private static String attributes(PathAttributes set) {
        JsonText json = new JsonText().begin();
        NextHop nextHop = set.nextHop();
        if (nextHop != null) {
            json.field("next_hop", nextHop.text());
            if (nextHop.hasLinkLocal()) {
                json.field("next_hop_link_local", nextHop.linkLocalText());
            }
        }
        if (set.origin() != null) {
            json.field("origin", set.origin().text());
        }
        if (set.asPath() != null) {
            json.field("as_path", set.asPath().text());
            set.asPath().originAsn().ifPresent(asn -> json.field("origin_asn", asn));
        }
        set.med().ifPresent(med -> json.field("med", med));
        set.localPref().ifPresent(preference -> json.field("local_pref", preference));
        if (!set.communities().isEmpty()) {
            json.field("communities", set.communities());
        }
        if (!set.largeCommunities().isEmpty()) {
            json.field("large_communities", set.largeCommunities());
        }
        if (!set.extendedCommunities().isEmpty()) {
            json.field("ext_communities", set.extendedCommunities());
        }
        return fields(json.name("attributes").json(set.toJson()));
    }
}
