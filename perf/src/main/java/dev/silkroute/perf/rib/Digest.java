package dev.silkroute.perf.rib;

/**
 * The checksum of a contender's answers, by which they are compared: for each probe that matches, a number made of the
 * prefix and (for a full lookup) the attribute bytes, mixed with the probe's position; the sum over all of them.
 */
final class Digest {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private long hits;
    private long sum;

    static long mix(long value) {
        long x = value;
        x ^= x >>> 33;
        x *= 0xff51afd7ed558ccdL;
        x ^= x >>> 33;
        x *= 0xc4ceb9fe1a85ec53L;
        return x ^ x >>> 33;
    }

    /** @param high upper 64 bits of the address as 16 bytes; an IPv4 address is the first four of them */
    static long prefix(long high, long low, int length) {
        return mix(high ^ mix(low ^ mix(length)));
    }

    static long route(long prefix, byte[] bytes, int from, int to) {
        long hash = FNV_BASIS;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i] & 0xFF) * FNV_PRIME;
        }
        return mix(prefix ^ hash);
    }

    void add(int probe, long answer) {
        hits++;
        sum += mix(answer + probe);
    }

    String text() {
        return "hits=" + hits + " digest=" + Long.toUnsignedString(sum);
    }
}
