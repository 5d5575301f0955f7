package dev.silkroute.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.Notification;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.util.List;

/**
 * Describes the BGP messages of one Route Mirroring message (RFC 7854, Section 4.7). Routers mirror messages that they
 * could not parse themselves, so a malformed message is described as well. Nothing of a mirrored message becomes a
 * route. Not thread-safe.
 */
final class MirroredMessages {
    /** BGP header: marker, length, type (RFC 4271, Section 4.1). */
    private static final int HEADER = 19;

    private static final int OPEN = 1;
    private static final int UPDATE = 2;
    private static final int NOTIFICATION = 3;
    private static final int KEEPALIVE = 4;
    private static final int ROUTE_REFRESH = 5;

    /**
     * Maximum outcomes described for the UPDATEs of one Route Mirroring message. Beyond it only the first of each
     * UPDATE is: thousands of small UPDATEs with some dozens of outcomes each would make a record larger than Kafka
     * accepts.
     */
    private static final int MAX_OUTCOMES = 4096;

    private final UpdateDecoder update = new UpdateDecoder();
    private UpdateContext context;
    private int outcomesLeft;
    private int faults;

    MirroredMessages() {
        context = UpdateContext.strict(true, AddPathFamilies.NONE);
    }

    /** Begins another Route Mirroring message. @param updateContext how the peer's UPDATEs are encoded */
    void begin(UpdateContext updateContext) {
        context = updateContext;
        outcomesLeft = MAX_OUTCOMES;
        faults = 0;
    }

    /** Returns how many malformed messages have been described since {@link #begin}. */
    int faults() {
        return faults;
    }

    /** Writes the fields that {@code docs/reference/topics.md} lists, for the BGP message in {@code from..to}. */
    void describe(JsonGenerator json, byte[] b, int from, int to) throws IOException {
        if (to - from < HEADER) {
            fault(json, "message ends inside the BGP header", 0, "RFC 4271, Section 4.1");
            return;
        }
        int type = BigEndian.u8(b, from + HEADER - 1);
        json.writeStringField("message", text(type));
        try {
            switch (type) {
                case OPEN -> open(json, Open.decode(b, from, to));
                case UPDATE -> {
                    update.decode(b, from, to, context);
                    update(json, from);
                }
                case NOTIFICATION -> notification(json, b, from, to);
                default -> {}
            }
        } catch (DecodeException e) {
            fault(json, e.reason(), e.offset() - from, e.section());
        }
    }

    private void fault(JsonGenerator json, String reason, int offset, String section) throws IOException {
        faults++;
        json.writeStringField("reason", reason);
        json.writeNumberField("offset", offset);
        json.writeStringField("section", section);
    }

    private static void open(JsonGenerator json, Open open) throws IOException {
        json.writeNumberField("asn", Integer.toUnsignedLong(open.asn()));
        json.writeStringField("bgp_id", Addresses.ipv4(open.bgpId()));
    }

    private void notification(JsonGenerator json, byte[] b, int from, int to) throws IOException {
        Notification notification = Notification.read(b, from, to);
        if (notification == null) {
            fault(json, "message ends inside the NOTIFICATION", 0, "RFC 4271, Section 4.5");
            return;
        }
        json.writeNumberField("code", notification.code());
        json.writeNumberField("subcode", notification.subcode());
        json.writeStringField("notification", notification.text());
        if (notification.shutdownCommunication().isPresent()) {
            json.writeStringField(
                    "communication", notification.shutdownCommunication().get());
        }
    }

    private void update(JsonGenerator json, int from) throws IOException {
        if (update.endOfRib()) {
            json.writeStringField("end_of_rib", Family.text(update.endOfRibFamily()));
            return;
        }
        int announced = 0;
        int withdrawn = 0;
        for (int i = 0; i < update.sections(); i++) {
            if (update.announces(i)) {
                announced += update.count(i);
            } else {
                withdrawn += update.count(i);
            }
        }
        json.writeNumberField("announced", announced);
        json.writeNumberField("withdrawn", withdrawn);
        List<DecodeOutcome> outcomes = update.outcomes();
        json.writeArrayFieldStart("outcomes");
        for (int i = 0; i < outcomes.size() && (i == 0 || outcomesLeft > 0); i++) {
            outcome(json, outcomes.get(i), from);
            outcomesLeft--;
        }
        json.writeEndArray();
        faults += outcomes.isEmpty() ? 0 : 1;
    }

    private static void outcome(JsonGenerator json, DecodeOutcome outcome, int from) throws IOException {
        json.writeStartObject();
        json.writeStringField("outcome", outcome.kind().text());
        if (outcome.attributeType() >= 0) {
            json.writeNumberField("attribute", outcome.attributeType());
        }
        json.writeStringField("reason", outcome.reason());
        json.writeNumberField("offset", outcome.offset() - from);
        json.writeStringField("section", outcome.section());
        json.writeEndObject();
    }

    private static String text(int type) {
        return switch (type) {
            case OPEN -> "open";
            case UPDATE -> "update";
            case NOTIFICATION -> "notification";
            case KEEPALIVE -> "keepalive";
            case ROUTE_REFRESH -> "route-refresh";
            default -> "type-" + type;
        };
    }
}
