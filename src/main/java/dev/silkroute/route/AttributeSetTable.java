package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.SET_BYTES;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.KeyedHash;
import java.util.Arrays;

/**
 * Collects the distinct attribute sets of a record being built. A set is found by a keyed hash of its canonical bytes
 * in an open-addressing table of indexes that is never more than half full, and its bytes are compared. Not
 * thread-safe.
 */
final class AttributeSetTable {
    private static final int FIRST_SLOTS = 1024;
    /** Bytes of all arrays for each slot: an index, and half of a hash and an offset. */
    private static final int SLOT_BYTES = Integer.BYTES + (Long.BYTES + Integer.BYTES) / 2;
    /** A table with fewer sets for its slots is cleared set by set. */
    private static final int SPARSE = 16;

    private final ByteSink canonical = new ByteSink();
    /** The keyed hash of each set, by which it is found. */
    private long[] keyed = new long[FIRST_SLOTS / 2];
    /** Offset of each set in {@link #canonical}; one more entry for the end of the last. */
    private int[] from = new int[FIRST_SLOTS / 2 + 1];
    /** Index + 1 of the set in each slot, 0 if the slot is free. */
    private int[] slots = new int[FIRST_SLOTS];

    private int size;

    void reset() {
        if (size < slots.length / SPARSE) {
            clearEach();
        } else {
            Arrays.fill(slots, 0);
        }
        canonical.reset();
        size = 0;
    }

    /** Frees the slots of the sets, newest first, because the slots of older ones lead to that of a newer one. */
    private void clearEach() {
        int mask = slots.length - 1;
        for (int i = size - 1; i >= 0; i--) {
            int slot = (int) keyed[i] & mask;
            while (slots[slot] != i + 1) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = 0;
        }
    }

    /** Discards all sets, and the memory of a table or of sets that are larger than {@code keptBytes}. */
    void release(int keptBytes) {
        reset();
        canonical.release(keptBytes);
        if (slots.length * SLOT_BYTES > keptBytes) {
            keyed = new long[FIRST_SLOTS / 2];
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
        byte[] bytes = canonical.array();
        long hash = hash(bytes, start, end);
        int mask = slots.length - 1;
        int slot = (int) hash & mask;
        for (; slots[slot] != 0; slot = (slot + 1) & mask) {
            int index = slots[slot] - 1;
            if (keyed[index] == hash && Arrays.equals(bytes, from[index], from[index + 1], bytes, start, end)) {
                canonical.truncate(start);
                return index;
            }
        }
        if (size == keyed.length) {
            grow();
            slot = freeSlot(hash, slots.length - 1);
        }
        slots[slot] = size + 1;
        keyed[size] = hash;
        from[size + 1] = end;
        return size++;
    }

    /** Returns the hash by which a set is found. A router must not be able to choose sets whose hashes are equal. */
    static long hash(byte[] bytes, int from, int to) {
        return KeyedHash.of(to - from, bytes, from, to - from);
    }

    private int freeSlot(long hash, int mask) {
        int slot = (int) hash & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        keyed = Arrays.copyOf(keyed, keyed.length * 2);
        from = Arrays.copyOf(from, keyed.length + 1);
        slots = new int[slots.length * 2];
        for (int i = 0; i < size; i++) {
            slots[freeSlot(keyed[i], slots.length - 1)] = i + 1;
        }
    }

    /** Writes the directory and, after it, the canonical bytes of all sets. */
    void writeTo(byte[] record, int directoryAt) {
        int bytesAt = directoryAt + size * SET_BYTES;
        for (int i = 0; i < size; i++) {
            int entry = directoryAt + i * SET_BYTES;
            RouteBatch.INT.set(record, entry, bytesAt + from[i]);
            RouteBatch.INT.set(record, entry + 4, from[i + 1] - from[i]);
        }
        System.arraycopy(canonical.array(), 0, record, bytesAt, canonical.position());
    }
}
