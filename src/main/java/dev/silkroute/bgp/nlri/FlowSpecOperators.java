package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;

/**
 * Lists of operators and values of a flow specification (RFC 8955, Section 4.2.1). A value has {@code 1 << length}
 * bytes.
 *
 * <pre>
 * numeric: u1 end of list | u1 and | u2 length | u1 0 | u1 less | u1 greater | u1 equal
 * bitmask: u1 end of list | u1 and | u2 length | u2 0 | u1 not  | u1 match
 * </pre>
 *
 * The text {@code >=1024&<=65535,8080} means (at least 1024 and at most 65535) or 8080. A number that occupies more
 * bytes than it needs is followed by their count, {@code 80:2}. The digits of a bitmask show its bytes: {@code 0x02} is
 * any of these bits, {@code =0x02} all of them, and {@code !} negates.
 */
enum FlowSpecOperators {
    NUMERIC(0x08, "false", "", ">", ">=", "<", "<=", "!=", "true"),
    BITMASK(0x0C, "", "=", "!", "!=");

    private static final int END = 0x80;
    private static final int AND = 0x40;
    private static final int TCP_FLAGS = 9;
    private static final int FRAGMENT = 12;

    private final int reserved;
    private final String[] comparisons;

    FlowSpecOperators(int reserved, String... comparisons) {
        this.reserved = reserved;
        this.comparisons = comparisons;
    }

    static FlowSpecOperators of(int component) {
        return component == TCP_FLAGS || component == FRAGMENT ? BITMASK : NUMERIC;
    }

    /** Returns the end of the list, or -1 if it does not end before {@code limit}. */
    static int end(byte[] b, int from, int limit) {
        int at = from;
        while (at < limit) {
            int operator = b[at];
            at += 1 + size(operator);
            if ((operator & END) != 0) {
                return at <= limit ? at : -1;
            }
        }
        return -1;
    }

    private static int size(int operator) {
        return 1 << (operator >>> 4 & 3);
    }

    /**
     * Appends the text of a list.
     *
     * @return false if the text is not the whole list: reserved bits are set, or the first operator has its AND bit set
     */
    boolean text(byte[] b, int from, int to, StringBuilder out) {
        boolean plain = true;
        int at = from;
        while (at < to) {
            int operator = b[at];
            boolean and = (operator & AND) != 0;
            plain &= (operator & reserved) == 0 && !(and && at == from);
            if (at > from) {
                out.append(and ? '&' : ',');
            }
            out.append(comparisons[operator & comparisons.length - 1]);
            value(b, at + 1, size(operator), out);
            at += 1 + size(operator);
        }
        return plain;
    }

    private void value(byte[] b, int at, int size, StringBuilder out) {
        long value = switch (size) {
            case 1 -> b[at] & 0xFF;
            case 2 -> BigEndian.u16(b, at);
            case 4 -> BigEndian.u32(b, at);
            default -> BigEndian.i64(b, at);
        };
        if (this == BITMASK) {
            out.append("0x").append(("%0" + 2 * size + "x").formatted(value));
        } else {
            out.append(Long.toUnsignedString(value));
            if (size != minimumSize(value)) {
                out.append(':').append(size);
            }
        }
    }

    private static int minimumSize(long value) {
        return value >>> 8 == 0 ? 1 : value >>> 16 == 0 ? 2 : value >>> 32 == 0 ? 4 : 8;
    }
}
