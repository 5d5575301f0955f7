package dev.silkroute.rib;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.BigEndian;

/** Reads single fields out of the canonical bytes of an attribute set ({@code docs/wire-format.md}), which have been checked before. */
final class CanonicalSet {
    private static final int HEADER = 4;
    private static final int SET = 1;
    private static final int SEQUENCE = 2;

    private CanonicalSet() {}

    /** Offset of the value of an attribute, -1 if the set has none; its length stands in the two bytes before. */
    static int value(byte[] b, int from, int to, int type) {
        for (int at = from; at < to; at += HEADER + BigEndian.u16(b, at + 2)) {
            int found = BigEndian.u8(b, at + 1);
            if (found >= type) {
                return found == type ? at + HEADER : -1;
            }
        }
        return -1;
    }

    static int length(byte[] b, int value) {
        return BigEndian.u16(b, value - 2);
    }

    /** The AS that a path ends with, -1 if it ends with a set or there is none; confederation segments don't count. */
    static long origin(byte[] b, int from, int to) {
        int value = value(b, from, to, AttributeCode.AS_PATH);
        if (value < 0) {
            return -1;
        }
        long origin = -1;
        int end = value + length(b, value);
        for (int at = value; at < end; at += 2 + 4 * BigEndian.u8(b, at + 1)) {
            int count = BigEndian.u8(b, at + 1);
            if (b[at] == SET) {
                origin = -1;
            } else if (b[at] == SEQUENCE && count > 0) {
                origin = BigEndian.u32(b, at + 2 + 4 * (count - 1));
            }
        }
        return origin;
    }
}
