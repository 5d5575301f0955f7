package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/**
 * Texts of three-byte label fields.
 *
 * <pre>
 * u20 label | u3 traffic class | u1 bottom of stack    RFC 3032, Section 2.1
 * </pre>
 */
final class LabelText {
    private LabelText() {}

    /**
     * A field that may hold an MPLS label or a VNI of 24 bits (RFC 8365, Section 5.1.3) and does not say which: {@code 625/10010}, both
     * readings.
     */
    static void either(byte[] b, int at, StringBuilder out) {
        int field = BigEndian.u24(b, at);
        out.append(field >>> 4).append('/').append(field);
    }

    static void parseEither(String text, ByteSink out) {
        int slash = text.indexOf('/');
        int field = (int) NlriTokens.number(text.substring(slash + 1), 0xFF_FFFF);
        if (slash < 0 || NlriTokens.number(text.substring(0, slash), 0xF_FFFF) != field >>> 4) {
            throw new IllegalArgumentException("MPLS label/24-bit value expected: " + text);
        }
        field(field, out);
    }

    /** A stack, outermost first: {@code 16,1000}; six hex digits for a field with traffic class or an odd end of stack. */
    static void stack(byte[] b, int from, int to, StringBuilder out) {
        for (int at = from; at < to; at += 3) {
            int field = BigEndian.u24(b, at);
            if (at > from) {
                out.append(',');
            }
            if ((field & 0xF) == (at + 3 == to ? 1 : 0)) {
                out.append(field >>> 4);
            } else {
                out.append("0x%06x".formatted(field));
            }
        }
    }

    static void parseStack(String text, ByteSink out) {
        String[] labels = text.split(",", -1);
        for (int i = 0; i < labels.length; i++) {
            if (labels[i].startsWith("0x")) {
                byte[] field = NlriTokens.hex(labels[i]);
                if (field.length != 3) {
                    throw new IllegalArgumentException("no label field: " + labels[i]);
                }
                out.bytes(field, 0, 3);
            } else {
                field((int) NlriTokens.number(labels[i], 0xF_FFFF) << 4 | (i == labels.length - 1 ? 1 : 0), out);
            }
        }
    }

    private static void field(int field, ByteSink out) {
        out.u8(field >>> 16).u16(field);
    }
}
