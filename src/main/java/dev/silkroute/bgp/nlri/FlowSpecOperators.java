package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import java.math.BigInteger;
import java.util.List;

/**
 * A list of operators and values (RFC 8955, Section 4.2.1). The value has {@code 1 << length} bytes.
 *
 * <pre>
 * numeric: u1 end of list | u1 and | u2 length | u1 0 | u1 less | u1 greater | u1 equal
 * bitmask: u1 end of list | u1 and | u2 length | u2 0 | u1 not  | u1 match
 * </pre>
 *
 * Text: {@code >=1024&<=65535,8080} is (at least 1024 and at most 65535) or 8080. A number in more bytes than it needs says how many,
 * {@code 80:2}; a bitmask shows its bytes by its digits, {@code 0x02} any of these bits, {@code =0x02} all of them, {@code !} not.
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

    /** The end of the list, or -1. */
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

    /** False if something is not in the text: bits that must be zero, or an AND before the first. */
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
            if (size != least(value)) {
                out.append(':').append(size);
            }
        }
    }

    private static int least(long value) {
        return value >>> 8 == 0 ? 1 : value >>> 16 == 0 ? 2 : value >>> 32 == 0 ? 4 : 8;
    }

    void parse(String text, ByteSink out) {
        int operator = 0;
        int from = 0;
        while (true) {
            int to = from;
            while (to < text.length() && text.charAt(to) != ',' && text.charAt(to) != '&') {
                to++;
            }
            boolean last = to == text.length();
            one(text.substring(from, to), operator | (last ? END : 0), out);
            if (last) {
                return;
            }
            operator = text.charAt(to) == '&' ? AND : 0;
            from = to + 1;
        }
    }

    private void one(String text, int flags, ByteSink out) {
        int digits = 0;
        while (digits < text.length() && (text.charAt(digits) < '0' || text.charAt(digits) > '9')) {
            digits++;
        }
        int comparison = List.of(comparisons).indexOf(text.substring(0, digits));
        if (comparison < 0) {
            throw new IllegalArgumentException("no operator and value: " + text);
        }
        String value = text.substring(digits);
        int size;
        long number;
        if (this == BITMASK) {
            byte[] mask = NlriTokens.hex(value);
            size = mask.length;
            number = size == 0 ? 0 : new BigInteger(1, mask).longValue();
        } else {
            int colon = value.indexOf(':');
            number = NlriTokens.number(colon < 0 ? value : value.substring(0, colon), -1L);
            size = colon < 0 ? least(number) : (int) NlriTokens.number(value.substring(colon + 1), 8);
        }
        if (Integer.bitCount(size) != 1 || size < (this == BITMASK ? 1 : least(number)) || size > 8) {
            throw new IllegalArgumentException("1, 2, 4 or 8 bytes that hold the value expected: " + text);
        }
        out.u8(flags | Integer.numberOfTrailingZeros(size) << 4 | comparison);
        for (int shift = 8 * size - 8; shift >= 0; shift -= 8) {
            out.u8((int) (number >>> shift));
        }
    }
}
