package dev.silkroute.rib.memory;

import java.util.Arrays;

/**
 * A queue of what the writer has unlinked and readers may still see. An entry is released once every reader that could
 * reach it has left its section.
 *
 * <pre>
 * entry   kind (12 bits) | length (20 bits) | reference (32 bits)
 *         a trie node (3) of 8 ints at unit 0x21: 0x003_00008_00000021
 * seal    position in the ring after the last entry of an epoch | that epoch
 * </pre>
 *
 * Entries are a ring of longs, in the order of unlinking; the seals separate them by epoch. Both are
 * reused, and grow only while long sections hold entries back. One thread.
 */
public final class ReclaimQueue {
    /** Releases an entry that no reader can reach any more. */
    @FunctionalInterface
    public interface Release {
        void release(int kind, int ref, int length);
    }

    /** A route record. */
    public static final int ROUTE = 0;

    /** A page of route records, with all its routes. */
    public static final int PAGE = 1;

    /** The record of an NLRI that is not a prefix. */
    public static final int EXACT_KEY = 2;

    /** A trie node; {@code length} is its number of ints. */
    public static final int NODE = 3;

    /** A block of the byte slab; {@code length} is its number of bytes. */
    public static final int BYTES = 4;

    /** The record of a long route list. */
    public static final int LONG_LIST = 5;

    /** The id of a trie without prefixes. */
    public static final int TRIE = 6;

    /** A record with the session of each route of a page. */
    public static final int ROUTE_SESSIONS = 7;

    /** The record of a prefix; kinds from here on stand for the different prefix stores. */
    public static final int PREFIX_KEY = 8;

    private static final int INITIAL_ENTRIES = 4096;

    private final Epochs epochs;
    private final MemoryBudget memory;
    private long[] ring = new long[INITIAL_ENTRIES];
    private long head;
    private long tail;
    /** Pairs of position and epoch, a ring of its own. */
    private long[] seals = new long[INITIAL_ENTRIES / 16];

    private int firstSeal;
    private int sealCount;
    private long sealed;

    public ReclaimQueue(Epochs epochs, MemoryBudget memory) {
        this.epochs = epochs;
        this.memory = memory;
    }

    /**
     * Adds what has just been unlinked.
     *
     * @param kind one of the constants above
     * @param length less than 2^20
     */
    public void add(int kind, int ref, int length) {
        if (tail - head == ring.length) {
            long[] more = new long[ring.length * 2];
            for (long i = head; i < tail; i++) {
                more[(int) i & more.length - 1] = ring[(int) i & ring.length - 1];
            }
            memory.reserve((long) ring.length * Long.BYTES);
            ring = more;
        }
        ring[(int) tail++ & ring.length - 1] = (long) kind << 52 | (long) length << 32 | Integer.toUnsignedLong(ref);
    }

    /**
     * Seals the entries added since the last call with the current epoch, begins the next one, and releases the entries
     * of all epochs that no reader is in any more.
     */
    public void reclaim(Release release) {
        if (sealed < tail && sealCount < seals.length / 2) {
            int at = (firstSeal + sealCount++) % (seals.length / 2) * 2;
            seals[at] = tail;
            seals[at + 1] = epochs.advance();
            sealed = tail;
        }
        if (sealCount == 0) {
            return;
        }
        long oldest = epochs.oldest();
        while (sealCount > 0 && seals[firstSeal * 2 + 1] < oldest) {
            long end = seals[firstSeal * 2];
            for (; head < end; head++) {
                long entry = ring[(int) head & ring.length - 1];
                release.release((int) (entry >>> 52), (int) entry, (int) (entry >>> 32) & 0xF_FFFF);
            }
            firstSeal = (firstSeal + 1) % (seals.length / 2);
            sealCount--;
        }
        if (head == tail && ring.length > INITIAL_ENTRIES * 64) {
            memory.reserve(-(long) (ring.length - INITIAL_ENTRIES) * Long.BYTES);
            ring = Arrays.copyOf(ring, INITIAL_ENTRIES);
        }
    }

    /** The number of entries released so far. */
    public long freed() {
        return head;
    }

    /** The number of entries held back by readers. */
    public long pending() {
        return tail - head;
    }
}
