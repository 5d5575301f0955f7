package dev.silkroute.load;

/**
 * Distinct prefixes whose lengths are distributed as in the global routing table. All routers and peers announce the
 * same ones, as routers with full tables do. Immutable.
 *
 * <p>The prefixes of one length are enumerated with a step that is coprime to their number, so none repeats before all
 * have occurred.
 */
final class PrefixTable {
    /** The number of prefixes in the global IPv4 table by length, /8 to /24 (potaroo.net). */
    private static final int[] IPV4 = {
        16, 14, 41, 92, 298, 581, 1210, 2161, 13854, 8369, 13785, 25080, 45910, 53311, 114177, 108013, 632625
    };

    private static final int IPV4_MIN_LENGTH = 8;

    /** The same for IPv6, /20 to /48, rounded. Half of them are /48, followed by /32, /40, /44 and /36. */
    private static final int[] IPV6 = {
        1, 2, 4, 1, 2, 1, 3, 4, 20, 620, 70, 20, 2400, 140, 120, 110, 720, 90, 130, 80, 2300, 90, 460, 160, 2500, 240,
        560, 340, 10700
    };

    private static final int IPV6_MIN_LENGTH = 20;

    /** The number of first octets that are unicast and not reserved as a whole: 1 to 126 and 128 to 223. */
    private static final int OCTETS = 222;

    private final boolean ipv6;
    private final long[] addresses;
    private final byte[] lengths;

    PrefixTable(long seed, boolean ipv6, int count) {
        this.ipv6 = ipv6;
        addresses = new long[count];
        lengths = new byte[count];
        int shortest = ipv6 ? IPV6_MIN_LENGTH : IPV4_MIN_LENGTH;
        int[] weights = KeyedRandom.cumulative(ipv6 ? IPV6 : IPV4);
        long[] used = new long[weights.length];
        KeyedRandom random = new KeyedRandom().seek(seed, ipv6 ? 6 : 4, 0, 0);
        for (int i = 0; i < count; i++) {
            int at = random.pick(weights);
            while (used[at] >= size(shortest + at)) {
                at++;
            }
            int length = shortest + at;
            lengths[i] = (byte) length;
            addresses[i] = address(seed, length, used[at]++);
        }
    }

    /** Returns the number of possible prefixes of this length. */
    private long size(int length) {
        return ipv6 ? 1L << length - 3 : (long) OCTETS << length - 8;
    }

    private long address(long seed, int length, long rank) {
        long size = size(length);
        long start = KeyedRandom.hash(seed, length, 1) >>> 33;
        // A step near the golden ratio keeps consecutive prefixes far apart. It must be coprime to 222 = 2 · 3 · 37 for
        // IPv4.
        long step = (long) (size * 0.618) | 1;
        while (!ipv6 && (step % 3 == 0 || step % 37 == 0)) {
            step += 2;
        }
        long number = (start % size + rank * step) % size;
        if (ipv6) {
            return 1L << 61 | number << 64 - length;
        }
        long octet = number >>> length - 8;
        octet += octet >= 126 ? 2 : 1;
        return (octet << length - 8 | number & (1L << length - 8) - 1) << 32 - length;
    }

    boolean ipv6() {
        return ipv6;
    }

    /** Returns the IPv4 address, or the upper half of the IPv6 address, whose lower half is 0. */
    long address(int i) {
        return addresses[i];
    }

    int length(int i) {
        return lengths[i];
    }
}
