package dev.silkroute.bgp;

/**
 * Where the path attributes of the UPDATE at hand lie: by type, so that walking the bits gives them in ascending order without sorting.
 * Offsets are absolute; entries whose bit is not set are rests of earlier messages.
 */
final class AttributeTable {
    private final byte[] flags = new byte[256];
    private final int[] from = new int[256];
    private final int[] to = new int[256];
    private final long[] seen = new long[4];
    private final long[] kept = new long[4];
    private int count;

    void clear() {
        for (int i = 0; i < 4; i++) {
            seen[i] = 0;
            kept[i] = 0;
        }
        count = 0;
    }

    /** Number of attributes seen, discarded ones and the first of duplicates included. */
    int count() {
        return count;
    }

    boolean seen(int type) {
        return (seen[type >>> 6] & 1L << type) != 0;
    }

    /** Whether the attribute belongs to the set: seen and not discarded. */
    boolean has(int type) {
        return (kept[type >>> 6] & 1L << type) != 0;
    }

    void put(int type, int attributeFlags, int valueFrom, int valueTo) {
        flags[type] = (byte) attributeFlags;
        from[type] = valueFrom;
        to[type] = valueTo;
        seen[type >>> 6] |= 1L << type;
        kept[type >>> 6] |= 1L << type;
        count++;
    }

    void discard(int type) {
        kept[type >>> 6] &= ~(1L << type);
    }

    int flags(int type) {
        return flags[type] & 0xFF;
    }

    int from(int type) {
        return from[type];
    }

    int to(int type) {
        return to[type];
    }

    int length(int type) {
        return to[type] - from[type];
    }

    /** Bits of the kept types {@code 64 * word .. 64 * word + 63}. */
    long kept(int word) {
        return kept[word];
    }
}
