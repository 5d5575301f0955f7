package dev.silkroute.rib.store;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.KeyedHash;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Reads single attributes from the canonical bytes of an attribute set ({@code docs/reference/wire-format.md}). The
 * bytes have been validated before.
 */
public final class CanonicalSet {
    private static final int HEADER = 4;

    /** The header of an ORIGIN attribute in canonical bytes: flags, type, length. */
    private static final int ORIGIN_HEADER = 0x50010001;

    private static final int ORIGIN_BYTES = HEADER + 1;
    private static final int SET = 1;
    private static final int SEQUENCE = 2;

    private CanonicalSet() {}

    /**
     * Returns the offset of an attribute's value, -1 if the set does not have it. The value's length is in the two
     * bytes before.
     */
    public static int value(byte[] b, int from, int to, int type) {
        int first = from;
        if (to - from > ORIGIN_BYTES && BigEndian.i32(b, from) == ORIGIN_HEADER && type != AttributeCode.ORIGIN) {
            // Nearly every set begins so. What follows is at a known place, which the processor can load before it has
            // loaded this length.
            first = from + ORIGIN_BYTES;
        }
        for (int at = first; at < to; at += HEADER + BigEndian.u16(b, at + 2)) {
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

    /**
     * Returns the last AS of the path, -1 if the path is empty or ends with an AS_SET. Confederation segments are
     * ignored.
     */
    public static long origin(byte[] b, int from, int to) {
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

    /** Returns the first 32 bits of an attribute's value, -1 if the set does not have it. */
    public static long number(byte[] b, int from, int to, int type) {
        int value = value(b, from, to, type);
        return value < 0 ? -1 : BigEndian.u32(b, value);
    }

    /** Returns whether the path contains an AS number, in any segment. */
    public static boolean pathContains(byte[] b, int from, int to, int asn) {
        int at = value(b, from, to, AttributeCode.AS_PATH);
        int end = at < 0 ? at : at + length(b, at);
        while (at < end) {
            int count = BigEndian.u8(b, at + 1);
            at += 2;
            for (int i = 0; i < count; i++, at += 4) {
                if (BigEndian.i32(b, at) == asn) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Visits the AS numbers of the path, in all segments. */
    public static void forEachAsn(byte[] b, int from, int to, IntConsumer each) {
        int at = value(b, from, to, AttributeCode.AS_PATH);
        int end = at < 0 ? at : at + length(b, at);
        while (at < end) {
            int count = BigEndian.u8(b, at + 1);
            at += 2;
            for (int i = 0; i < count; i++, at += 4) {
                each.accept(BigEndian.i32(b, at));
            }
        }
    }

    public static void forEachCommunity(byte[] b, int from, int to, IntConsumer each) {
        int at = value(b, from, to, AttributeCode.COMMUNITIES);
        for (int end = at < 0 ? at : at + length(b, at); at < end; at += 4) {
            each.accept(BigEndian.i32(b, at));
        }
    }

    /** Visits the {@link #largeCommunityHash hashes} of the large communities. */
    public static void forEachLargeCommunity(byte[] b, int from, int to, IntConsumer each) {
        int at = value(b, from, to, AttributeCode.LARGE_COMMUNITIES);
        for (int end = at < 0 ? at : at + length(b, at); at < end; at += 12) {
            each.accept(largeCommunityHash(BigEndian.i32(b, at), BigEndian.i32(b, at + 4), BigEndian.i32(b, at + 8)));
        }
    }

    /** Returns the keyed hash of a large community. */
    public static int largeCommunityHash(int global, int local1, int local2) {
        return KeyedHash.fold(
                KeyedHash.of(Integer.toUnsignedLong(global), (long) local1 << 32 | Integer.toUnsignedLong(local2)));
    }

    public static boolean hasCommunity(byte[] b, int from, int to, int community) {
        int at = value(b, from, to, AttributeCode.COMMUNITIES);
        for (int end = at < 0 ? at : at + length(b, at); at < end; at += 4) {
            if (BigEndian.i32(b, at) == community) {
                return true;
            }
        }
        return false;
    }

    public static boolean hasLargeCommunity(byte[] b, int from, int to, int global, int local1, int local2) {
        int at = value(b, from, to, AttributeCode.LARGE_COMMUNITIES);
        for (int end = at < 0 ? at : at + length(b, at); at < end; at += 12) {
            if (BigEndian.i32(b, at) == global
                    && BigEndian.i32(b, at + 4) == local1
                    && BigEndian.i32(b, at + 8) == local2) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the global next hop is an address. A route distinguisher and a link-local address in the next hop
     * are ignored.
     */
    public static boolean nextHopIs(byte[] b, int from, int to, boolean ipv6, long high, long low) {
        int at = value(b, from, to, AttributeCode.MP_REACH_NLRI);
        int length = 4;
        if (at >= 0) {
            length = BigEndian.u8(b, at + 3);
            at += 4;
        } else {
            at = value(b, from, to, AttributeCode.NEXT_HOP);
        }
        if (at < 0) {
            return false;
        }
        int rd = length == 12 || length == 24 || length == 48 ? 8 : 0;
        return switch (length) {
            case 4, 12 -> !ipv6 && BigEndian.u32(b, at + rd) == low;
            case 16, 24, 32, 48 -> ipv6 && BigEndian.i64(b, at + rd) == high && BigEndian.i64(b, at + rd + 8) == low;
            default -> false;
        };
    }

    /** Returns whether two sets have the same AS path and next hop, in NEXT_HOP or MP_REACH_NLRI. */
    static boolean samePathAndNextHop(byte[] a, int fromA, int toA, byte[] b, int fromB, int toB) {
        return sameValue(a, fromA, toA, b, fromB, toB, AttributeCode.AS_PATH)
                && sameValue(a, fromA, toA, b, fromB, toB, AttributeCode.NEXT_HOP)
                && sameValue(a, fromA, toA, b, fromB, toB, AttributeCode.MP_REACH_NLRI);
    }

    private static boolean sameValue(byte[] a, int fromA, int toA, byte[] b, int fromB, int toB, int type) {
        int atA = value(a, fromA, toA, type);
        int atB = value(b, fromB, toB, type);
        if (atA < 0 || atB < 0) {
            return atA == atB;
        }
        return Arrays.equals(a, atA, atA + length(a, atA), b, atB, atB + length(b, atB));
    }
}
