package dev.silkroute.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.FsmEvent;
import dev.silkroute.bgp.Notification;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerDown;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMirroring;
import dev.silkroute.bmp.Statistic;
import dev.silkroute.bmp.StatisticsReport;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.bmp.TlvSpace;
import dev.silkroute.bmp.TlvType;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Timestamps;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON records of one session, with the names and values that {@code docs/reference/topics.md} lists. Times
 * are ISO 8601 in UTC with microseconds. Not thread-safe.
 */
final class RecordWriter {
    private static final JsonFactory JSON = new JsonFactory();

    private final String collector;
    private final String router;
    private final InetAddress address;
    private final long sessionId;
    private final boolean redecoded;
    private String receivedAt = "";

    /** Writes fields of an object that has been begun. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    /** @param redecoded whether the messages are decoded again, which each record then states */
    RecordWriter(String collector, String router, InetAddress address, long sessionId, boolean redecoded) {
        this.collector = collector;
        this.router = router;
        this.address = address;
        this.sessionId = sessionId;
        this.redecoded = redecoded;
    }

    /** Sets the receive time of the records that follow, in microseconds since 1970. */
    void receivedAt(long micros) {
        receivedAt = time(micros);
    }

    static String time(long micros) {
        return Timestamps.text(micros);
    }

    /** Writes one JSON object in UTF-8. */
    static byte[] object(Fields fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the stream is in memory
        }
        return out.toByteArray();
    }

    private SessionRecord record(String event, long sequence, Fields fields) {
        return new SessionRecord(event, sequence, object(json -> {
            json.writeStringField("event", event);
            json.writeStringField("collector", collector);
            json.writeStringField("router", router);
            json.writeStringField("router_address", address.getHostAddress());
            json.writeNumberField("session_id", sessionId);
            json.writeNumberField("sequence", sequence);
            json.writeStringField("received_at", receivedAt);
            fields.write(json);
            if (redecoded) {
                json.writeBooleanField("redecoded", true);
            }
        }));
    }

    private static void peer(JsonGenerator json, PerPeerHeader header, int bgpId, int asn) throws IOException {
        if (header.routerTimeMicros() != 0) {
            json.writeStringField("router_time", time(header.routerTimeMicros()));
        }
        json.writeStringField("peer_type", PerPeerHeader.peerTypeText(header.peerType()));
        json.writeStringField("peer_distinguisher", Hex.of(header.distinguisher()));
        json.writeStringField("peer_address", Addresses.text(header.ipv6(), header.addressHigh(), header.addressLow()));
        json.writeNumberField("peer_asn", Integer.toUnsignedLong(asn));
        json.writeStringField("peer_bgp_id", Addresses.ipv4(bgpId));
        json.writeStringField("rib_view", header.view().text());
        if (header.filtered()) {
            json.writeBooleanField("filtered", true);
        }
    }

    private static void peer(JsonGenerator json, PerPeerHeader header) throws IOException {
        peer(json, header, header.bgpId(), header.asn());
    }

    /** Writes the fields of known TLVs, as {@link TlvType} lists them, and all others as {@code tlvs}. */
    private static void tlvs(JsonGenerator json, TlvSpace space, List<Tlv> tlvs) throws IOException {
        for (TlvType type : TlvType.of(space)) {
            Tlv first = Tlv.first(tlvs, type).orElse(null);
            switch (type.form()) {
                case TEXT -> {
                    if (first != null) {
                        json.writeStringField(type.field(), first.text());
                    }
                }
                case TEXTS -> {
                    if (first != null || space == TlvSpace.INITIATION || space == TlvSpace.TERMINATION) {
                        texts(json, type.field(), Tlv.texts(tlvs, type));
                    }
                }
                case TERMINATION_REASON -> {
                    if (first != null) {
                        int code = first.value().u16(0);
                        json.writeNumberField(type.field() + "_code", code);
                        json.writeStringField(type.field(), InformationTlvs.reasonText(code));
                    }
                }
            }
        }
        others(json, Tlv.others(tlvs, space));
    }

    private static void others(JsonGenerator json, List<Tlv> tlvs) throws IOException {
        if (tlvs.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("tlvs");
        for (Tlv tlv : tlvs) {
            json.writeStartObject();
            json.writeNumberField("type", tlv.type());
            if (tlv.enterprise() != null) {
                json.writeNumberField("enterprise", tlv.enterprise());
            }
            json.writeStringField("value", tlv.value().hex());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private static void rawField(JsonGenerator json, String name, String value) throws IOException {
        json.writeFieldName(name);
        json.writeRawValue(value);
    }

    private static void base64Field(JsonGenerator json, byte[] bytes, int from, int to) throws IOException {
        json.writeFieldName("bytes");
        json.writeBinary(bytes, from, to - from);
    }

    SessionRecord sessionUp(long sequence, RouterIdentity.Source nameSource) {
        return record("session-up", sequence, json -> {
            if (!redecoded) {
                json.writeStringField("name_source", nameSource.text());
            }
        });
    }

    /** @param reason why the session ended */
    SessionRecord sessionEnd(String event, long sequence, String reason) {
        return record(event, sequence, json -> json.writeStringField("reason", reason));
    }

    SessionRecord initiation(InformationTlvs information, long sequence) {
        return record("initiation", sequence, json -> {
            tlvs(json, TlvSpace.INITIATION, information.tlvs());
        });
    }

    SessionRecord termination(InformationTlvs information, long sequence) {
        return record("termination", sequence, json -> {
            tlvs(json, TlvSpace.TERMINATION, information.tlvs());
        });
    }

    /**
     * @param agreed the capabilities of the session
     * @param repeated whether the peer was up already
     */
    SessionRecord peerUp(
            PerPeerHeader header,
            PeerUp up,
            SessionCapabilities agreed,
            MonitoredPeer peer,
            boolean repeated,
            long sequence) {
        return record("peer-up", sequence, json -> {
            peer(json, header, peer.bgpId(), peer.asn());
            json.writeStringField("local_address", up.localAddressText());
            json.writeNumberField("local_port", up.localPort());
            json.writeNumberField("remote_port", up.remotePort());
            if (repeated) {
                json.writeBooleanField("repeated", true);
            }
            tlvs(json, TlvSpace.PEER_UP, up.tlvs());
            rawField(json, "capabilities", up.capabilitiesJson(agreed));
        });
    }

    /**
     * @param peer null if the peer is not up
     * @param allViews whether all views of the peer end
     * @param repeated whether the peer went down before
     */
    SessionRecord peerDown(
            PerPeerHeader header,
            PeerDown down,
            @Nullable MonitoredPeer peer,
            boolean allViews,
            boolean repeated,
            long sequence) {
        return record("peer-down", sequence, json -> {
            if (peer == null) {
                peer(json, header);
            } else {
                peer(json, header, peer.bgpId(), peer.asn());
            }
            json.writeBooleanField("all_views", allViews);
            json.writeBooleanField("known", peer != null);
            if (repeated) {
                json.writeBooleanField("repeated", true);
            }
            json.writeNumberField("reason_code", down.reasonCode());
            json.writeStringField("reason", down.reasonText());
            json.writeStringField("data", down.data().hex());
            peerDownData(json, down);
        });
    }

    private static void peerDownData(JsonGenerator json, PeerDown down) throws IOException {
        Notification notification = down.notification();
        if (notification != null) {
            json.writeNumberField("notification_code", notification.code());
            json.writeNumberField("notification_subcode", notification.subcode());
            json.writeStringField("notification", notification.text());
            if (notification.shutdownCommunication().isPresent()) {
                json.writeStringField(
                        "communication", notification.shutdownCommunication().get());
            }
        }
        if (down.fsmEvent().isPresent()) {
            int event = down.fsmEvent().getAsInt();
            json.writeNumberField("fsm_event", event);
            json.writeStringField("fsm_event_name", FsmEvent.text(event));
        }
        tlvs(json, TlvSpace.PEER_DOWN, down.tlvs());
    }

    /** The peer's UPDATEs are encoded in another way than its OPENs announced. */
    SessionRecord decodeMismatch(PerPeerHeader header, UpdateContext context, long sequence) {
        return record("decode-mismatch", sequence, json -> {
            peer(json, header);
            rawField(json, "decode", context.toJson());
        });
    }

    /** The first route of a view came without a Peer Up of its peer. */
    SessionRecord unannounced(PerPeerHeader header, long sequence) {
        return record("peer-unannounced", sequence, json -> peer(json, header));
    }

    SessionRecord statistics(PerPeerHeader header, StatisticsReport report, long sequence) {
        return record("statistics", sequence, json -> {
            peer(json, header);
            json.writeArrayFieldStart("statistics");
            for (Statistic statistic : report.statistics()) {
                statistic(json, statistic);
            }
            json.writeEndArray();
        });
    }

    private static void statistic(JsonGenerator json, Statistic statistic) throws IOException {
        json.writeStartObject();
        json.writeNumberField("type", statistic.type());
        if (statistic.enterprise() != null) {
            json.writeNumberField("enterprise", statistic.enterprise());
        }
        json.writeStringField("name", statistic.name());
        json.writeObjectField("afi", statistic.afi());
        json.writeObjectField("safi", statistic.safi());
        Long value = statistic.value();
        json.writeStringField("value", value == null ? null : Long.toUnsignedString(value));
        json.writeStringField("raw", statistic.rawHex());
        json.writeEndObject();
    }

    /** @param messages describes the BGP messages among the entries */
    SessionRecord mirror(
            PerPeerHeader header, RouteMirroring mirroring, MirroredMessages messages, byte[] bytes, long sequence) {
        return record("mirror", sequence, json -> {
            peer(json, header);
            json.writeBooleanField("messages_lost", mirroring.messagesLost());
            json.writeArrayFieldStart("messages");
            for (RouteMirroring.Entry entry : mirroring.entries()) {
                json.writeStartObject();
                json.writeNumberField("type", entry.type());
                json.writeStringField("name", entry.name());
                base64Field(json, bytes, entry.from(), entry.to());
                if (entry.isBgpMessage()) {
                    json.writeObjectFieldStart("decoded");
                    messages.describe(json, bytes, entry.from(), entry.to());
                    json.writeEndObject();
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * A message that cannot be decoded.
     *
     * @param header null if the message has none, or ends inside it
     * @param from absolute offset of the message
     */
    SessionRecord quarantine(
            @Nullable PerPeerHeader header,
            MessageType type,
            DecodeException why,
            byte[] bytes,
            int from,
            int to,
            long sequence) {
        return record("quarantine", sequence, json -> {
            if (header != null) {
                peer(json, header);
            }
            json.writeStringField("message_type", type.text());
            json.writeNumberField("offset", why.offset() - from);
            json.writeStringField("reason", why.reason());
            json.writeStringField("section", why.section());
            base64Field(json, bytes, from, to);
        });
    }
}
