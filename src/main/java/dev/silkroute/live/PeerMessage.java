package dev.silkroute.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.route.PeerEntry;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An OPEN or a NOTIFICATION, which a record of {@code bmp.peers} reports: a Peer Up contains the OPENs of both sides, a
 * Peer Down may contain the NOTIFICATION that ended the session (RFC 7854, Sections 4.9 and 4.10). It has the fields of
 * RIS Live and, beside them, those of the record.
 */
final class PeerMessage implements MessageFields {
    private static final ObjectMapper JSON =
            new ObjectMapper().setNodeFactory(JsonNodeFactory.withExactBigDecimals(true));

    /** Hexadecimal digits before the data of a NOTIFICATION: marker, length, type, code and subcode. */
    private static final int NOTIFICATION_HEADER = 2 * 21;

    /** Hexadecimal digits before the length. */
    private static final int NOTIFICATION_LENGTH = 2 * 16;

    private static final int MICROS_SCALE = 6;

    /** RIS Live has {@code ipv4/unicast} for {@code ipv4-unicast}. */
    private static final Pattern FAMILY_OF_IP = Pattern.compile("^(ipv[46])-");

    /** Fields that a message has as the record has them. */
    private static final List<String> COPIED = List.of(
            "collector",
            "router",
            "router_address",
            "session_id",
            "sequence",
            "received_at",
            "router_time",
            "peer_type",
            "peer_distinguisher",
            "peer_bgp_id",
            "rib_view");

    private final String router;
    private final PeerEntry peer;
    private final MessageType type;
    private final byte[] json;

    private PeerMessage(JsonNode record, MessageType type, ObjectNode message) throws IOException {
        router = record.path("router").asText();
        peer = peer(record);
        this.type = type;
        json = JSON.writeValueAsBytes(message);
    }

    /**
     * Returns the messages that a record reports, received before sent. None for other records, for a Loc-RIB, whose
     * OPENs its router has made up (RFC 9069, Section 4.4), and for records that repeat an earlier one or were decoded
     * again.
     *
     * @throws IOException if the record is not JSON
     */
    static List<PeerMessage> of(byte[] bytes) throws IOException {
        JsonNode record = JSON.readTree(bytes);
        if (record.path("redecoded").asBoolean()
                || record.path("repeated").asBoolean()
                || record.path("rib_view").asText().equals(RibView.LOC_RIB.text())) {
            return List.of();
        }
        return switch (record.path("event").asText()) {
            case "peer-up" -> List.of(open(record, "received"), open(record, "sent"));
            case "peer-down" -> record.has("notification_code") ? List.of(notification(record)) : List.of();
            default -> List.of();
        };
    }

    private static PeerMessage open(JsonNode record, String direction) throws IOException {
        JsonNode open = record.path("capabilities").path(direction);
        ObjectNode message = message(record, MessageType.OPEN, direction);
        message.put("event", "open").put("direction", direction);
        for (String field : List.of("version", "asn", "hold_time")) {
            message.set(field, open.path(field));
        }
        message.set("router_id", open.path("bgp_id"));
        message.set("capabilities", capabilities(open.path("capabilities")));
        return new PeerMessage(record, MessageType.OPEN, message);
    }

    /**
     * Returns the capabilities by their code, in the form of RIS Live as far as it is documented: all families of the
     * capability multiprotocol are in one object, and the AS number is {@code asn4}. Another capability that is there
     * several times is an array.
     */
    private static ObjectNode capabilities(JsonNode list) {
        ObjectNode byCode = JSON.createObjectNode();
        ArrayNode families = JSON.createArrayNode();
        for (JsonNode each : list) {
            if (each.has("family")) { // only multiprotocol has one
                families.add(FAMILY_OF_IP.matcher(each.get("family").asText()).replaceFirst("$1/"));
                byCode.putObject(each.get("code").asText())
                        .put("name", each.get("name").asText())
                        .set("families", families);
            }
        }
        for (JsonNode each : list) {
            if (!each.has("family")) {
                ObjectNode capability = each.deepCopy();
                String code = capability.remove("code").asText();
                if (capability.has("asn")) { // only that for four-octet AS numbers has one
                    capability.put("name", "asn4").set("asn4", capability.remove("asn"));
                }
                add(byCode, code, capability);
            }
        }
        return byCode;
    }

    private static void add(ObjectNode byCode, String code, ObjectNode capability) {
        JsonNode before = byCode.get(code);
        if (before instanceof ArrayNode several) {
            several.add(capability);
        } else if (before != null) {
            byCode.putArray(code).add(before).add(capability);
        } else {
            byCode.set(code, capability);
        }
    }

    private static PeerMessage notification(JsonNode record) throws IOException {
        ObjectNode message = message(record, MessageType.NOTIFICATION, "notification");
        message.put("event", "notification")
                .put("direction", record.path("reason_code").asInt() == 1 ? "sent" : "received");
        ObjectNode notification = message.putObject("notification");
        notification.set("code", record.path("notification_code"));
        notification.set("subcode", record.path("notification_subcode"));
        // The data of a Peer Down is the whole message; TLVs may follow it
        String pdu = record.path("data").asText();
        int end = 2 * Integer.parseInt(pdu, NOTIFICATION_LENGTH, NOTIFICATION_LENGTH + 4, 16);
        if (end > NOTIFICATION_HEADER) {
            notification.put("data", pdu.substring(NOTIFICATION_HEADER, end));
        }
        for (String field : List.of("reason", "communication")) {
            if (record.has(field)) {
                message.set(field, record.get(field));
            }
        }
        return new PeerMessage(record, MessageType.NOTIFICATION, message);
    }

    /** @param part distinguishes the messages of a record */
    private static ObjectNode message(JsonNode record, MessageType type, String part) {
        ObjectNode message = JSON.createObjectNode();
        String time =
                record.path("router_time").asText(record.path("received_at").asText());
        message.put("timestamp", BigDecimal.valueOf(micros(Instant.parse(time)), MICROS_SCALE));
        String id = record.path("session_id").asText() + "-"
                + record.path("sequence").asText();
        message.put("id", id + "-" + part)
                .put("host", record.path("router").asText())
                .put("type", type.name());
        message.set("peer", record.path("peer_address"));
        message.put("peer_asn", record.path("peer_asn").asText());
        for (String field : COPIED) {
            if (record.has(field)) {
                message.set(field, record.get(field));
            }
        }
        return message.put("synthetic", false);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static PeerEntry peer(JsonNode record) {
        IpPrefix address = IpPrefix.parse(record.path("peer_address").asText());
        String view = record.path("rib_view").asText();
        RibView named = Stream.of(RibView.values())
                .filter(each -> each.text().equals(view))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + view + "' is not a RIB view"));
        int asn = (int) record.path("peer_asn").asLong();
        return new PeerEntry(0, 0, address.ipv6(), address.high(), address.low(), asn, 0, named);
    }

    /** The message as a JSON object in UTF-8; do not write to it. */
    byte[] json() {
        return json;
    }

    @Override
    public String router() {
        return router;
    }

    @Override
    public PeerEntry peer() {
        return peer;
    }

    @Override
    public MessageType type() {
        return type;
    }

    @Override
    public String familyName() {
        return "";
    }

    @Override
    public boolean has(String field) {
        return false;
    }

    @Override
    public @Nullable List<String> announcedPath() {
        return null;
    }
}
