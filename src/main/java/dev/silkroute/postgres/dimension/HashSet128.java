package dev.silkroute.postgres.dimension;

import dev.silkroute.net.KeyedHash;
import java.util.Arrays;

/**
 * A bounded set of 128-bit hashes that evicts old entries: buckets of eight entries, and in a full bucket the oldest is
 * replaced. 16 bytes per entry; nothing is allocated after construction. Not thread-safe.
 */
final class HashSet128 {
    private static final int WAYS = 8;

    private final long[] slots;
    private final byte[] oldest;
    private final int bucketMask;

    /** @param capacity the minimum number of entries, rounded up to a power of two */
    HashSet128(int capacity) {
        int buckets = Integer.highestOneBit(Math.max(1, (Math.max(capacity, WAYS) - 1) / WAYS)) << 1;
        bucketMask = buckets - 1;
        slots = new long[buckets * WAYS * 2];
        oldest = new byte[buckets];
    }

    boolean contains(long high, long low) {
        int from = bucket(high, low) * WAYS * 2;
        for (int i = from; i < from + WAYS * 2; i += 2) {
            if (slots[i] == high && slots[i + 1] == low) {
                return (high | low) != 0; // two zeros mark an empty slot
            }
        }
        return false;
    }

    void add(long high, long low) {
        if (!contains(high, low)) {
            int bucket = bucket(high, low);
            int at = (bucket * WAYS + oldest[bucket]) * 2;
            slots[at] = high;
            slots[at + 1] = low;
            oldest[bucket] = (byte) ((oldest[bucket] + 1) % WAYS);
        }
    }

    void clear() {
        Arrays.fill(slots, 0);
    }

    private int bucket(long high, long low) {
        return KeyedHash.fold(KeyedHash.of(high, low)) & bucketMask;
    }
}
