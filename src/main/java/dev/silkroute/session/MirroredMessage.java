package dev.silkroute.session;

import dev.silkroute.bgp.Notification;
import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a mirrored BGP message says, in short (RFC 7854, Section 4.7). Routers mirror what they themselves could not make sense of, so whatever
 * is wrong with it is a value here. Nothing of it becomes a route.
 */
final class MirroredMessage {
    private static final int HEADER = 19;

    /**
     * Outcomes told of the UPDATEs that one Route Mirroring message holds. Beyond it each has its first one only: thousands of small UPDATEs with
     * some dozens each would become a record larger than Kafka takes.
     */
    private static final int MOST_OUTCOMES = 4096;

    private final UpdateDecoder update = new UpdateDecoder();
    private int outcomesLeft;
    private boolean fault;

    /** Another Route Mirroring message, whose BGP messages are described next. */
    void begin() {
        outcomesLeft = MOST_OUTCOMES;
    }

    /** Field names and values as {@code docs/topics.md} lists them. */
    Map<String, Object> describe(byte[] b, int from, int to, UpdateContext context) {
        Map<String, Object> said = new LinkedHashMap<>();
        fault = false;
        if (to - from < HEADER) {
            return problem(said, "no whole BGP header", 0, "RFC 4271, Section 4.1");
        }
        int type = BigEndian.u8(b, from + HEADER - 1);
        said.put("message", text(type));
        try {
            switch (type) {
                case 1 -> open(said, Open.decode(b, from, to));
                case 2 -> {
                    update.decode(b, from, to, context);
                    update(said, from);
                }
                case 3 -> notification(said, b, from, to);
                default -> {}
            }
        } catch (DecodeException e) {
            problem(said, e.reason(), e.offset() - from, e.section());
        }
        return said;
    }

    /** Whether there was anything wrong with the message that was described last. */
    boolean fault() {
        return fault;
    }

    private Map<String, Object> problem(Map<String, Object> said, String reason, int offset, String section) {
        fault = true;
        said.put("reason", reason);
        said.put("offset", offset);
        said.put("section", section);
        return said;
    }

    private static void open(Map<String, Object> said, Open open) {
        said.put("asn", Integer.toUnsignedLong(open.asn()));
        said.put("bgp_id", Addresses.ipv4(open.bgpId()));
    }

    private void notification(Map<String, Object> said, byte[] b, int from, int to) {
        Notification notification = Notification.read(b, from, to);
        if (notification == null) {
            problem(said, "no whole NOTIFICATION", 0, "RFC 4271, Section 4.5");
        } else {
            said.put("code", notification.code());
            said.put("subcode", notification.subcode());
            said.put("notification", notification.text());
            notification.shutdownCommunication().ifPresent(text -> said.put("communication", text));
        }
    }

    private void update(Map<String, Object> said, int from) {
        if (update.endOfRib()) {
            said.put("end_of_rib", Family.text(update.endOfRibFamily()));
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
        said.put("announced", announced);
        said.put("withdrawn", withdrawn);
        List<Map<String, Object>> outcomes = new ArrayList<>();
        for (Outcome outcome : update.outcomes()) {
            if (outcomes.isEmpty() || outcomesLeft > 0) {
                outcomes.add(outcome(outcome, from));
                outcomesLeft--;
            }
        }
        said.put("outcomes", outcomes);
        fault = !outcomes.isEmpty();
    }

    private static Map<String, Object> outcome(Outcome outcome, int from) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("outcome", outcome.kind().text());
        if (outcome.attributeType() >= 0) {
            said.put("attribute", outcome.attributeType());
        }
        said.put("reason", outcome.reason());
        said.put("offset", outcome.offset() - from);
        said.put("section", outcome.section());
        return said;
    }

    private static String text(int type) {
        return switch (type) {
            case 1 -> "open";
            case 2 -> "update";
            case 3 -> "notification";
            case 4 -> "keepalive";
            case 5 -> "route-refresh";
            default -> "type-" + type;
        };
    }
}
