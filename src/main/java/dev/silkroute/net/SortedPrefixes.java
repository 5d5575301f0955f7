package dev.silkroute.net;

import java.util.List;

/**
 * Prefixes of one IP version, of which a prefix may occur several times, in arrays of primitive values: about 13 bytes
 * for an IPv4 prefix and 21 for an IPv6 one. Routers choose the prefixes that are looked up, so nothing is hashed. A
 * lookup allocates nothing. Immutable.
 *
 * <p>In the order of addresses, and of lengths where the addresses are equal, every prefix that covers another one is
 * before it, and covers all prefixes between. So a lookup is one binary search, for the last prefix that is not behind
 * the sought one, and a walk to the prefixes that cover this one.
 *
 * <pre>
 * index    prefix         covering
 *   0      10.0.0.0/8       -1
 *   1      10.1.0.0/16       0
 *   2      10.1.0.0/16       0
 *   3      10.1.2.0/24       2
 * 10.1.3.0/24 is behind 3, which does not cover it, but 2, with 1 of the same prefix, and 0 do.
 * </pre>
 */
public final class SortedPrefixes {
    private final boolean ipv6;
    /** Upper halves of the prefixes; empty for IPv4, whose upper halves are 0. */
    private final long[] highs;

    private final long[] lows;
    private final byte[] lengths;
    /** Index of the last prefix of the longest shorter length that covers the prefix; -1 without one. */
    private final int[] coverings;

    /** @param sorted by {@link IpPrefix#ORDER}, all of the IP version */
    public SortedPrefixes(List<IpPrefix> sorted, boolean ipv6) {
        this.ipv6 = ipv6;
        highs = new long[ipv6 ? sorted.size() : 0];
        lows = new long[sorted.size()];
        lengths = new byte[sorted.size()];
        coverings = new int[sorted.size()];
        for (int i = 0; i < sorted.size(); i++) {
            IpPrefix prefix = sorted.get(i);
            if (ipv6) {
                highs[i] = prefix.high();
            }
            lows[i] = prefix.low();
            lengths[i] = (byte) prefix.length();
            coverings[i] = i > 0 && isSame(i - 1, i)
                    ? coverings[i - 1]
                    : firstCovering(i - 1, prefix.high(), prefix.low(), prefix.length());
        }
    }

    public int size() {
        return lows.length;
    }

    public IpPrefix get(int index) {
        return new IpPrefix(ipv6, high(index), lows[index], length(index));
    }

    private long high(int index) {
        return ipv6 ? highs[index] : 0;
    }

    private int length(int index) {
        return Byte.toUnsignedInt(lengths[index]);
    }

    /** Returns whether two entries are the same prefix. */
    public boolean isSame(int index, int other) {
        return lows[index] == lows[other] && lengths[index] == lengths[other] && high(index) == high(other);
    }

    /** Returns whether an entry is a prefix. */
    public boolean is(int index, long high, long low, int length) {
        return compare(index, high, low, length) == 0;
    }

    /**
     * Returns the index of the last entry of the longest prefix that covers a prefix, or is it; -1 without one.
     *
     * @param high the upper half of an IPv6 address, 0 for IPv4
     * @param low the lower half, or an IPv4 address
     */
    public int longestCovering(long high, long low, int length) {
        return firstCovering(last(high, low, length), high, low, length);
    }

    /** Returns the index of the last entry of the longest shorter prefix that covers an entry; -1 without one. */
    public int covering(int index) {
        return coverings[index];
    }

    /** Returns the first entry that covers a prefix, of an entry and those that cover it; -1 without one. */
    private int firstCovering(int from, long high, long low, int length) {
        int index = from;
        while (index >= 0 && !covers(index, high, low, length)) {
            index = coverings[index];
        }
        return index;
    }

    private boolean covers(int index, long high, long low, int length) {
        int bits = length(index);
        return bits <= length
                && (ipv6
                        ? highs[index] == Addresses.maskHigh(high, bits) && lows[index] == Addresses.maskLow(low, bits)
                        : lows[index] == Integer.toUnsignedLong(Addresses.maskIpv4((int) low, bits)));
    }

    /** Returns the index of the last entry that is not behind a prefix; -1 without one. */
    public int last(long high, long low, int length) {
        int from = 0;
        int to = size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (compare(middle, high, low, length) <= 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }

    private int compare(int index, long high, long low, int length) {
        int order = ipv6 ? Long.compareUnsigned(highs[index], high) : 0;
        if (order == 0) {
            order = Long.compareUnsigned(lows[index], low);
        }
        return order == 0 ? Integer.compare(length(index), length) : order;
    }
}
