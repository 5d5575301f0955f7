package dev.silkroute.bgp.attribute;

/**
 * The offsets of the path attributes of the current UPDATE, by type: iterating over the bits yields the types in
 * ascending order without sorting. Offsets are absolute. Entries whose bit is not set are leftovers of earlier
 * messages. Not thread-safe.
 */
public final class AttributeTable {
    private final byte[] flags = new byte[256];
    private final int[] from = new int[256];
    private final int[] to = new int[256];
    private final long[] seen = new long[4];
    private final long[] kept = new long[4];
    private int count;

    public void clear() {
        for (int i = 0; i < 4; i++) {
            seen[i] = 0;
            kept[i] = 0;
        }
        count = 0;
    }

    /** Returns the number of attributes seen, including discarded ones; duplicates count once. */
    public int count() {
        return count;
    }

    public boolean seen(int type) {
        return (seen[type >>> 6] & 1L << type) != 0;
    }

    /** Returns whether the attribute belongs to the set: seen and not discarded. */
    public boolean has(int type) {
        return (kept[type >>> 6] & 1L << type) != 0;
    }

    public void put(int type, int attributeFlags, int valueFrom, int valueTo) {
        flags[type] = (byte) attributeFlags;
        from[type] = valueFrom;
        to[type] = valueTo;
        seen[type >>> 6] |= 1L << type;
        kept[type >>> 6] |= 1L << type;
        count++;
    }

    public void discard(int type) {
        kept[type >>> 6] &= ~(1L << type);
    }

    public int flags(int type) {
        return flags[type] & 0xFF;
    }

    public int from(int type) {
        return from[type];
    }

    public int to(int type) {
        return to[type];
    }

    public int length(int type) {
        return to[type] - from[type];
    }

    /** Returns the bits of the kept types {@code 64 * word .. 64 * word + 63}. */
    long kept(int word) {
        return kept[word];
    }
}
