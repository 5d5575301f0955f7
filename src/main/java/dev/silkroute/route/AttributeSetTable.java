package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.SET_BYTES;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.KeyedHash;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Collects the distinct attribute sets of a record being built. A set is found by a keyed hash of its canonical bytes
 * in an open-addressing table of indexes that is never more than half full, and its bytes are compared. Its name in
 * the record, the first 128 bits of SHA-256, is computed once per set, because it costs ten times as much. Not
 * thread-safe.
 */
final class AttributeSetTable {
    private static final int FIRST_SLOTS = 1024;

    private final ByteSink canonical = new ByteSink();
    private final MessageDigest sha256 = sha256();
    private final byte[] digest = new byte[sha256.getDigestLength()];
    private long[] high = new long[FIRST_SLOTS / 2];
    private long[] low = new long[FIRST_SLOTS / 2];
    /** The keyed hash of each set, by which it is found. */
    private long[] keyed = new long[FIRST_SLOTS / 2];
    /** Offset of each set in {@link #canonical}; one more entry for the end of the last. */
    private int[] from = new int[FIRST_SLOTS / 2 + 1];
    /** Index + 1 of the set in each slot, 0 if the slot is free. */
    private int[] slots = new int[FIRST_SLOTS];

    private int size;

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

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
        long hash = KeyedHash.of(end - start, bytes, start, end - start);
        int mask = slots.length - 1;
        int slot = (int) hash & mask;
        for (; slots[slot] != 0; slot = (slot + 1) & mask) {
            int index = slots[slot] - 1;
            if (keyed[index] == hash && Arrays.equals(bytes, from[index], from[index + 1], bytes, start, end)) {
                canonical.truncate(start);
                return index;
            }
        }
        if (size == high.length) {
            grow();
            slot = freeSlot(hash, slots.length - 1);
        }
        slots[slot] = size + 1;
        keyed[size] = hash;
        name(bytes, start, end - start);
        from[size + 1] = end;
        return size++;
    }

    private void name(byte[] bytes, int start, int length) {
        try {
            sha256.update(bytes, start, length);
            sha256.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new AssertionError("the buffer has the digest's length", e);
        }
        high[size] = (long) RouteBatch.LONG.get(digest, 0);
        low[size] = (long) RouteBatch.LONG.get(digest, Long.BYTES);
    }

    private int freeSlot(long hash, int mask) {
        int slot = (int) hash & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        high = Arrays.copyOf(high, high.length * 2);
        low = Arrays.copyOf(low, low.length * 2);
        keyed = Arrays.copyOf(keyed, keyed.length * 2);
        from = Arrays.copyOf(from, high.length + 1);
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
            RouteBatch.LONG.set(record, entry, high[i]);
            RouteBatch.LONG.set(record, entry + 8, low[i]);
            RouteBatch.INT.set(record, entry + 16, bytesAt + from[i]);
            RouteBatch.INT.set(record, entry + 20, from[i + 1] - from[i]);
        }
        System.arraycopy(canonical.array(), 0, record, bytesAt, canonical.position());
    }
}
