package dev.silkroute.load;

/**
 * Prefixes with the lengths of a full table, none twice; all routers and peers show the same ones, as real ones do. Immutable.
 *
 * <p>Within a length, addresses are a walk over all prefixes of that length with a step that has no common divisor with their number,
 * so none comes again before all were there.
 */
final class PrefixTable {
    /** How many of each length from /8 on the global IPv4 table has (potaroo.net); /25 is left out. */
    private static final int[] IPV4 = {
        16, 14, 41, 92, 298, 581, 1210, 2161, 13854, 8369, 13785, 25080, 45910, 53311, 114177, 108013, 632625
    };

    private static final int IPV4_SHORTEST = 8;

    /** The same from /20 on for IPv6, rounded: /48 is half of it, then /32, /40, /44 and /36. */
    private static final int[] IPV6 = {
        1, 2, 4, 1, 2, 1, 3, 4, 20, 620, 70, 20, 2400, 140, 120, 110, 720, 90, 130, 80, 2300, 90, 460, 160, 2500, 240,
        560, 340, 10700
    };

    private static final int IPV6_SHORTEST = 20;

    /** First octets that are unicast and not reserved as a whole: 1 to 126 and 128 to 223. */
    private static final int OCTETS = 222;

    private final boolean ipv6;
    private final long[] addresses;
    private final byte[] lengths;

    PrefixTable(long seed, boolean ipv6, int count) {
        this.ipv6 = ipv6;
        addresses = new long[count];
        lengths = new byte[count];
        int shortest = ipv6 ? IPV6_SHORTEST : IPV4_SHORTEST;
        int[] weights = Dice.cumulative(ipv6 ? IPV6 : IPV4);
        long[] used = new long[weights.length];
        Dice dice = new Dice().at(seed, ipv6 ? 6 : 4, 0, 0);
        for (int i = 0; i < count; i++) {
            int at = dice.pick(weights);
            while (used[at] >= size(shortest + at)) {
                at++;
            }
            int length = shortest + at;
            lengths[i] = (byte) length;
            addresses[i] = address(seed, length, used[at]++);
        }
    }

    /** How many prefixes of this length there are to choose from. */
    private long size(int length) {
        return ipv6 ? 1L << length - 3 : (long) OCTETS << length - 8;
    }

    private long address(long seed, int length, long rank) {
        long size = size(length);
        long start = Dice.hash(seed, length, 1) >>> 33;
        // Near the golden section, so that neighbours in time are far apart; 222 is 2 · 3 · 37.
        long step = (long) (size * 0.618) | 1;
        while (!ipv6 && (step % 3 == 0 || step % 37 == 0)) {
            step += 2;
        }
        long place = (start % size + rank * step) % size;
        if (ipv6) {
            return 1L << 61 | place << 64 - length;
        }
        long octet = place >>> length - 8;
        octet += octet >= 126 ? 2 : 1;
        return (octet << length - 8 | place & (1L << length - 8) - 1) << 32 - length;
    }

    boolean ipv6() {
        return ipv6;
    }

    /** The upper half of an IPv6 address, whose lower half is 0, or an IPv4 address. */
    long address(int i) {
        return addresses[i];
    }

    int length(int i) {
        return lengths[i];
    }
}
