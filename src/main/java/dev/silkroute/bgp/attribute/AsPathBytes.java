package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/**
 * AS_PATH on the hot path: checked, widened and merged without objects.
 *
 * <pre>
 * segment: u8 type (1 set, 2 sequence, 3 confederation sequence, 4 confederation set) | u8 count | AS numbers of 2 or 4 bytes
 * </pre>
 */
final class AsPathBytes {
    static final int SET = 1;
    static final int SEQUENCE = 2;
    static final int CONFED_SEQUENCE = 3;
    static final int CONFED_SET = 4;
    static final int AS_TRANS = 23456;

    private AsPathBytes() {}

    /** Whether the bytes are whole, known, non-empty segments of this AS number size, to the last byte. */
    static boolean fits(byte[] b, int from, int to, int size) {
        int at = from;
        while (at < to) {
            if (to - at < 2) {
                return false;
            }
            int type = b[at];
            int count = b[at + 1] & 0xFF;
            if (type < SET || type > CONFED_SET || count == 0) {
                return false;
            }
            at += 2 + count * size;
        }
        return at == to;
    }

    /** Whether one of the AS numbers of a path that fits is 0. */
    static boolean hasZero(byte[] b, int from, int to, int size) {
        for (int at = from; at < to; at += 2 + size * (b[at + 1] & 0xFF)) {
            for (int i = 0; i < (b[at + 1] & 0xFF); i++) {
                int asn = at + 2 + i * size;
                if ((size == 4 ? BigEndian.i32(b, asn) : BigEndian.u16(b, asn)) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Length in bytes with four-octet AS numbers, of a path that fits in two octets. */
    static int widenedLength(byte[] b, int from, int to) {
        int length = 0;
        for (int at = from; at < to; at += 2 + 2 * (b[at + 1] & 0xFF)) {
            length += 2 + 4 * (b[at + 1] & 0xFF);
        }
        return length;
    }

    static void widen(byte[] b, int from, int to, ByteSink out) {
        for (int at = from; at < to; at += 2 + 2 * (b[at + 1] & 0xFF)) {
            segment(b, at, 2, b[at + 1] & 0xFF, out);
        }
    }

    /**
     * Number of AS numbers as path selection counts them: a set is one, confederation segments are none (RFC 6793,
     * Section 4.2.3).
     */
    static int hops(byte[] b, int from, int to, int size) {
        int hops = 0;
        for (int at = from; at < to; at += 2 + size * (b[at + 1] & 0xFF)) {
            hops += b[at] == SEQUENCE ? b[at + 1] & 0xFF : b[at] == SET ? 1 : 0;
        }
        return hops;
    }

    /**
     * Writes the path that a two-octet AS_PATH and its AS4_PATH mean together: as many leading AS numbers of AS_PATH as
     * AS4_PATH lacks, then AS4_PATH without its confederation segments, which do not belong there (RFC 6793, Sections
     * 4.2.3 and 6).
     */
    static void merge(byte[] b, int from, int to, int from4, int to4, ByteSink out) {
        int keep = hops(b, from, to, 2) - hops(b, from4, to4, 4);
        if (keep < 0) {
            widen(b, from, to, out);
            return;
        }
        int last = -1;
        for (int at = from; at < to; at += 2 + 2 * (b[at + 1] & 0xFF)) {
            int type = b[at];
            int count = b[at + 1] & 0xFF;
            boolean confederation = type == CONFED_SEQUENCE || type == CONFED_SET;
            if (keep == 0 && !confederation) {
                break;
            }
            int taken = type == SEQUENCE ? Math.min(count, keep) : count;
            last = out.position();
            segment(b, at, 2, taken, out);
            keep -= confederation ? 0 : type == SEQUENCE ? taken : 1;
            if (taken < count) {
                break;
            }
        }
        append(b, from4, to4, last, out);
    }

    /** Appends AS4_PATH; a sequence that continues the sequence at {@code last} joins it where the count allows. */
    private static void append(byte[] b, int from4, int to4, int last, ByteSink out) {
        int previous = last;
        for (int at = from4; at < to4; at += 2 + 4 * (b[at + 1] & 0xFF)) {
            int type = b[at];
            int count = b[at + 1] & 0xFF;
            if (type == CONFED_SEQUENCE || type == CONFED_SET) {
                continue;
            }
            if (previous >= 0 && type == SEQUENCE && out.array()[previous] == SEQUENCE) {
                int joined = (out.array()[previous + 1] & 0xFF) + count;
                if (joined <= 255) {
                    out.patchU8(previous + 1, joined);
                    out.bytes(b, at + 2, at + 2 + 4 * count);
                    previous = -1;
                    continue;
                }
            }
            previous = -1;
            segment(b, at, 4, count, out);
        }
    }

    private static void segment(byte[] b, int at, int size, int count, ByteSink out) {
        out.u8(b[at]).u8(count);
        if (size == 4) {
            out.bytes(b, at + 2, at + 2 + 4 * count);
            return;
        }
        for (int i = 0; i < count; i++) {
            out.u32(BigEndian.u16(b, at + 2 + 2 * i));
        }
    }
}
