package dev.silkroute.postgres.dimension;

import java.util.Arrays;

/**
 * A bounded map from the keyed hashes of attribute sets, 128 bits, to their hashes in the database, 128 bits, that
 * evicts old entries: buckets of eight entries, and in a full bucket the oldest is replaced. 32 bytes per entry;
 * nothing is allocated after construction. Not thread-safe.
 *
 * <p>Keys must be hashes already: a bucket is chosen by the lowest bits of their lower half.
 */
final class KnownHashes {
    /** The result of {@link #find} if there is no entry. */
    static final int NONE = -1;

    private static final int WAYS = 8;
    private static final int LONGS = 4;

    /** Longs per cache line. */
    private static final int LINE = 8;

    /** For each entry the upper and the lower half of its key, then those of its value. */
    private final long[] entries;

    private final byte[] oldest;
    private final int bucketMask;

    /** @param capacity the minimum number of entries, rounded up to a power of two */
    KnownHashes(int capacity) {
        int buckets = Integer.highestOneBit(Math.max(1, (Math.max(capacity, WAYS) - 1) / WAYS)) << 1;
        bucketMask = buckets - 1;
        entries = new long[buckets * WAYS * LONGS];
        oldest = new byte[buckets];
    }

    /** Returns the position of a key's entry, which is valid until the next {@link #put}, or {@link #NONE}. */
    int find(long keyHigh, long keyLow) {
        if ((keyHigh | keyLow) == 0) {
            return NONE; // two zeros mark a free entry
        }
        int from = firstEntry(keyLow);
        for (int i = from; i < from + WAYS * LONGS; i += LONGS) {
            if (entries[i] == keyHigh && entries[i + 1] == keyLow) {
                return i;
            }
        }
        return NONE;
    }

    /**
     * Loads the bucket of a key into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    long touch(long keyLow) {
        int from = firstEntry(keyLow);
        long touched = 0;
        for (int i = from; i < from + WAYS * LONGS; i += LINE) {
            touched += entries[i];
        }
        return touched;
    }

    /** Upper half of the value at a position. */
    long high(int position) {
        return entries[position + 2];
    }

    /** Lower half of the value at a position. */
    long low(int position) {
        return entries[position + 3];
    }

    void put(long keyHigh, long keyLow, long high, long low) {
        int at = find(keyHigh, keyLow);
        if (at == NONE) {
            int bucket = (int) keyLow & bucketMask;
            at = firstEntry(keyLow) + oldest[bucket] * LONGS;
            oldest[bucket] = (byte) ((oldest[bucket] + 1) % WAYS);
        }
        entries[at] = keyHigh;
        entries[at + 1] = keyLow;
        entries[at + 2] = high;
        entries[at + 3] = low;
    }

    void clear() {
        Arrays.fill(entries, 0);
    }

    private int firstEntry(long keyLow) {
        return ((int) keyLow & bucketMask) * WAYS * LONGS;
    }
}
