package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/**
 * Validates, widens and merges AS paths in place, without objects, for the hot path.
 *
 * <pre>
 * segment: u8 type | u8 count | AS numbers of 2 or 4 bytes
 * type: 1 set, 2 sequence, 3 confederation sequence, 4 confederation set
 * </pre>
 *
 * Example: {@code 02 02 fbf4 fbf5} is the sequence 64500 64501 in two octets.
 */
final class AsPathBytes {
    static final int SET = 1;
    static final int SEQUENCE = 2;
    static final int CONFED_SEQUENCE = 3;
    static final int CONFED_SET = 4;
    static final int AS_TRANS = 23456;

    private AsPathBytes() {}

    /** Returns whether the bytes are whole, known, non-empty segments of this AS number size, to the last byte. */
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

    /** Returns whether a path that fits has AS number 0. */
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

    /** Returns the length in bytes with four-octet AS numbers of a path that fits in two octets. */
    static int widenedLength(byte[] b, int from, int to) {
        int length = 0;
        for (int at = from; at < to; at += 2 + 2 * (b[at + 1] & 0xFF)) {
            length += 2 + 4 * (b[at + 1] & 0xFF);
        }
        return length;
    }

    /** Appends a two-octet path with four-octet AS numbers. */
    static void widen(byte[] b, int from, int to, ByteSink out) {
        for (int at = from; at < to; at += 2 + 2 * (b[at + 1] & 0xFF)) {
            segment(b, at, 2, b[at + 1] & 0xFF, out);
        }
    }

    /**
     * Returns the length of the path in route selection: a set counts as one AS, and confederation segments do not
     * count (RFC 6793, Section 4.2.3).
     */
    static int hops(byte[] b, int from, int to, int size) {
        int hops = 0;
        for (int at = from; at < to; at += 2 + size * (b[at + 1] & 0xFF)) {
            hops += b[at] == SEQUENCE ? b[at + 1] & 0xFF : b[at] == SET ? 1 : 0;
        }
        return hops;
    }

    /**
     * Appends the path that a two-octet AS_PATH and its AS4_PATH represent: as many leading AS numbers of AS_PATH as it
     * is longer, then AS4_PATH without its confederation segments, which are not permitted there (RFC 6793, Sections
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

    /**
     * Appends AS4_PATH. A sequence that continues the sequence at {@code last} is joined to it if the count permits.
     */
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
