package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.SET_BYTES;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.KeyedHash;
import java.util.Arrays;

/**
 * Collects the distinct attribute sets of a record being built. A set is found by the 128-bit XXH3 hash of its
 * canonical bytes in an open-addressing table of indexes that is never more than half full. Not thread-safe.
 */
final class AttributeSetTable {
    private static final Hasher128 HASHER = Hashing.xxh3_128();
    private static final int FIRST_SLOTS = 1024;

    private final ByteSink canonical = new ByteSink();
    private long[] high = new long[FIRST_SLOTS / 2];
    private long[] low = new long[FIRST_SLOTS / 2];
    /** Offset of each set in {@link #canonical}; one more entry for the end of the last. */
    private int[] from = new int[FIRST_SLOTS / 2 + 1];
    /** Index + 1 of the set in each slot, 0 if the slot is free. */
    private int[] slots = new int[FIRST_SLOTS];

    private int size;

    void reset() {
        canonical.reset();
        Arrays.fill(slots, 0);
        size = 0;
    }

    /** Discards all sets, and memory beyond that of a small record. */
    void release(int keptBytes) {
        canonical.release(keptBytes);
        size = 0;
        if (slots.length > FIRST_SLOTS) {
            high = new long[FIRST_SLOTS / 2];
            low = new long[FIRST_SLOTS / 2];
            from = new int[FIRST_SLOTS / 2 + 1];
            slots = new int[FIRST_SLOTS];
        }
    }

    int size() {
        return size;
    }

    /** Number of bytes that {@link #writeTo} writes. */
    int length() {
        return size * SET_BYTES + canonical.position();
    }

    /** Returns the sink to write a set's canonical bytes to; {@link #intern()} completes the set. */
    ByteSink sink() {
        canonical.truncate(from[size]);
        return canonical;
    }

    /** Returns the index of the set just written. If an equal one exists, the written bytes are discarded. */
    int intern() {
        int start = from[size];
        int end = canonical.position();
        HashValue128 hash = HASHER.hashBytesTo128Bits(canonical.array(), start, end - start);
        long hashHigh = hash.getMostSignificantBits();
        long hashLow = hash.getLeastSignificantBits();
        int mask = slots.length - 1;
        int slot = home(hashLow, mask);
        for (; slots[slot] != 0; slot = (slot + 1) & mask) {
            int index = slots[slot] - 1;
            if (low[index] == hashLow && high[index] == hashHigh) {
                canonical.truncate(start);
                return index;
            }
        }
        if (size == high.length) {
            grow();
            mask = slots.length - 1;
            slot = freeSlot(hashLow, mask);
        }
        slots[slot] = size + 1;
        high[size] = hashHigh;
        low[size] = hashLow;
        from[size + 1] = end;
        return size++;
    }

    /** Keyed, because a router can choose sets whose hashes end alike. */
    private static int home(long hashLow, int mask) {
        return (int) KeyedHash.of(hashLow, 0) & mask;
    }

    private int freeSlot(long hashLow, int mask) {
        int slot = home(hashLow, mask);
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        high = Arrays.copyOf(high, high.length * 2);
        low = Arrays.copyOf(low, low.length * 2);
        from = Arrays.copyOf(from, high.length + 1);
        slots = new int[slots.length * 2];
        for (int i = 0; i < size; i++) {
            slots[freeSlot(low[i], slots.length - 1)] = i + 1;
        }
    }

    /** Writes the directory and, after it, the canonical bytes of all sets. */
    void writeTo(byte[] record, int directoryAt) {
        int bytesAt = directoryAt + size * SET_BYTES;
        for (int i = 0; i < size; i++) {
            int entry = directoryAt + i * SET_BYTES;
            RouteBatch.LONG.set(record, entry, high[i]);
            RouteBatch.LONG.set(record, entry + 8, low[i]);
            RouteBatch.INT.set(record, entry + 16, bytesAt + from[i]);
            RouteBatch.INT.set(record, entry + 20, from[i + 1] - from[i]);
        }
        System.arraycopy(canonical.array(), 0, record, bytesAt, canonical.position());
    }
}
