package dev.silkroute.bgp;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A NOTIFICATION message (RFC 4271, Section 4.5). Codes and subcodes: IANA "BGP Error (Notification) Codes" and its
 * subregistries.
 *
 * <pre>
 * 19 header | u8 code | u8 subcode | data
 * </pre>
 *
 * @param length length of the whole message in its header
 */
public record Notification(int code, int subcode, Bytes data, int length) {
    private static final int HEADER = 19;
    private static final int TYPE = 3;
    private static final int CEASE = 6;
    private static final int ADMINISTRATIVE_SHUTDOWN = 2;
    private static final int ADMINISTRATIVE_RESET = 4;

    private static final String[] CODES = {
        "0",
        "message-header-error",
        "open-message-error",
        "update-message-error",
        "hold-timer-expired",
        "finite-state-machine-error",
        "cease",
        "route-refresh-message-error",
        "send-hold-timer-expired"
    };

    /** Indexed by code, then by subcode; empty for deprecated subcodes. */
    private static final String[][] SUBCODES = {
        {},
        {"", "connection-not-synchronized", "bad-message-length", "bad-message-type"},
        {
            "",
            "unsupported-version-number",
            "bad-peer-as",
            "bad-bgp-identifier",
            "unsupported-optional-parameter",
            "authentication-failure",
            "unacceptable-hold-time",
            "unsupported-capability",
            "",
            "",
            "",
            "role-mismatch"
        },
        {
            "",
            "malformed-attribute-list",
            "unrecognized-well-known-attribute",
            "missing-well-known-attribute",
            "attribute-flags-error",
            "attribute-length-error",
            "invalid-origin-attribute",
            "as-routing-loop",
            "invalid-next-hop-attribute",
            "optional-attribute-error",
            "invalid-network-field",
            "malformed-as-path"
        },
        {},
        {
            "",
            "unexpected-message-in-open-sent",
            "unexpected-message-in-open-confirm",
            "unexpected-message-in-established"
        },
        {
            "",
            "maximum-number-of-prefixes-reached",
            "administrative-shutdown",
            "peer-de-configured",
            "administrative-reset",
            "connection-rejected",
            "other-configuration-change",
            "connection-collision-resolution",
            "out-of-resources",
            "hard-reset",
            "bfd-down"
        },
        {"", "invalid-message-length"},
        {}
    };

    /** Reads the NOTIFICATION at {@code from}; returns null if it is not a whole one. Bytes after it are ignored. */
    public static @Nullable Notification read(byte[] b, int from, int to) {
        if (to - from < HEADER + 2 || BigEndian.u8(b, from + 18) != TYPE) {
            return null;
        }
        int length = BigEndian.u16(b, from + 16);
        if (length < HEADER + 2 || length > to - from) {
            return null;
        }
        return new Notification(
                BigEndian.u8(b, from + HEADER),
                BigEndian.u8(b, from + HEADER + 1),
                Bytes.copyOf(b, from + HEADER + 2, from + length),
                length);
    }

    /** Returns a text such as {@code cease/administrative-shutdown}, with numbers for codes without a name. */
    public String text() {
        return text(code, subcode);
    }

    public static String text(int code, int subcode) {
        boolean known = code > 0 && code < CODES.length;
        String name = known ? CODES[code] : Integer.toString(code);
        if (known && subcode < SUBCODES[code].length && !SUBCODES[code][subcode].isEmpty()) {
            return name + "/" + SUBCODES[code][subcode];
        }
        return subcode == 0 && known ? name : name + "/" + subcode;
    }

    /** Returns the message of the operator (RFC 9003); empty without one. */
    public Optional<String> shutdownCommunication() {
        boolean may = code == CEASE && (subcode == ADMINISTRATIVE_SHUTDOWN || subcode == ADMINISTRATIVE_RESET);
        if (!may || data.isEmpty() || data.u8(0) == 0 || data.u8(0) > data.length() - 1) {
            return Optional.empty();
        }
        return Optional.of(Bytes.copyOf(data.toArray(), 1, 1 + data.u8(0)).text());
    }
}
