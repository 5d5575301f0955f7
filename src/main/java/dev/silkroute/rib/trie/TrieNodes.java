package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;
import dev.silkroute.rib.memory.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The nodes of all tries of a shard below their roots. Wide nodes decide 8 bits, narrow ones 4. Consecutive slots with
 * the same value form a run, and only runs are stored: a node is a header with the bitmap that locates runs, followed
 * by the values, so that a lookup mostly finds both in one or two cache lines.
 *
 * <pre>
 * wide (8 bits):    counts | runs before | 8 start words | value of each run | cover | prefix words | keys
 * narrow (4 bits):  starts | prefix word                 | value of each run | cover | keys
 *
 * counts       bitmap of the prefix words that are not 0 (16 bits) | number of keys (8 bits) | number of runs - 1
 *              (8 bits)
 * runs before  byte g: the number of runs that start before slot 64 * g
 * start word   bit i of word w is set if a run starts at slot 32 * w + i
 * starts       number of keys (12 bits) | number of runs - 1 (4 bits) | bit i is set if a run starts at slot i (16
 *              bits)
 * prefix bit   1 &lt;&lt; n | first n bits of the slot: a prefix that ends n bits into the node. Of 16 prefix words, a
 *              wide node has those that are not 0
 * value &gt; 0    the key of the longest match of every address in the run
 *       = 0    no match except possibly the prefix of length 0
 *       &lt; 0    complement (~) of the node below; the run is one slot
 * cover        the longest match from above the node for all of it, a value &gt;= 0
 * keys         of the prefixes that end before the last bit of the node, in the order of their prefix bits
 * </pre>
 *
 * A prefix that ends at the last bit is one slot. Its key is the slot's value, or the cover of the node below.
 *
 * <p>For example, the narrow node at bit 24 below 192.0.2.0/24 (key 0x30000001), in which 192.0.2.16/28 (key
 * 0x38000002) ends, with slot 1 as its only slot:
 *
 * <pre>
 * 00020007             no keys, 3 runs, which start at slots 0, 1 and 2
 * 00020000             prefix bit 1 &lt;&lt; 4 | 1 = 17
 * 30000001 38000002 30000001
 * 30000001             cover
 * </pre>
 *
 * To look up 192.0.2.17 (slot 1), the start bits up to slot 1 are counted: 2, so the second value is the match.
 *
 * <p>One thread writes. Only values and covers are ever changed in place, each with one release store; for any other
 * change a new node is made ({@link NodeSplice}, {@link NodeEditor}), published in the parent with one store, and the
 * old one is reclaimed when no reader can have it.
 */
public final class TrieNodes {
    static final int WIDE_BITS = 8;
    static final int NARROW_BITS = 4;

    /** Ints before the values of a wide node. */
    static final int WIDE_HEADER = 10;

    static final int NARROW_HEADER = 2;

    /** The index of a wide node's first start word. */
    static final int STARTS = 2;

    /** Prefix words of a wide node. */
    static final int PREFIX_WORDS = 16;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    /** Ints per cache line. */
    private static final int LINE = 16;

    /** The most ints that inserting one prefix can need: a few wide nodes, and narrow ones down to bit 128. */
    private static final int MAX_INTS_PER_PREFIX = 4096;

    public final IntSlab slab;

    public TrieNodes(MemoryBudget memory) {
        slab = new IntSlab(memory);
    }

    static int header(boolean wide) {
        return wide ? WIDE_HEADER : NARROW_HEADER;
    }

    static int slots(boolean wide) {
        return wide ? 1 << WIDE_BITS : 1 << NARROW_BITS;
    }

    /** Returns whether a prefix ends before the last bit of its node, so that the node has its key. */
    static boolean hasKey(boolean wide, int bit) {
        return bit < slots(wide);
    }

    int[] segment(int node) {
        return slab.segment(node);
    }

    /** The words that locate a slot's value; reading them loads them into the caches. */
    int startWord(int node, boolean wide, int slot) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        return wide ? segment[offset + 1] + segment[offset + STARTS + (slot >>> 5)] : segment[offset];
    }

    /** The words that locate a prefix's key; reading them loads them into the caches. */
    int prefixWord(int node, boolean wide, int bit) {
        int[] segment = slab.segment(node);
        return prefixWord(segment, IntSlab.offset(node), wide, bit);
    }

    /**
     * Loads a whole node into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    int touchAll(int node, boolean wide) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        int end = offset + length(node, wide);
        int touched = segment[end - 1];
        for (int i = offset; i < end; i += LINE) {
            touched += segment[i];
        }
        return touched;
    }

    int runs(int node, boolean wide) {
        return runCount(slab.segment(node)[IntSlab.offset(node)], wide);
    }

    /** @param counts the first word of a node */
    static int runCount(int counts, boolean wide) {
        return (wide ? counts & 0xFF : counts >>> 16 & 0xF) + 1;
    }

    /** @param counts the first word of a node */
    static int keyCount(int counts, boolean wide) {
        return wide ? counts >>> 8 & 0xFF : counts >>> 20;
    }

    /**
     * Returns the bitmap of the prefix words that follow the cover.
     *
     * @param counts the first word of a node
     */
    static int prefixWords(int counts, boolean wide) {
        return wide ? counts >>> 16 : 0;
    }

    static int wideCounts(int prefixWords, int keys, int runs) {
        return prefixWords << 16 | keys << 8 | runs - 1;
    }

    static int narrowStarts(int starts, int keys, int runs) {
        return keys << 20 | runs - 1 << 16 | starts;
    }

    /** Writes how many runs start before each quarter of a wide node, from its start words. */
    static void countStarts(int[] segment, int offset) {
        int before = 0;
        int counts = 0;
        for (int quarter = 0; quarter < 4; quarter++) {
            counts |= before << (quarter << 3);
            int word = offset + STARTS + (quarter << 1);
            before += Integer.bitCount(segment[word]) + Integer.bitCount(segment[word + 1]);
        }
        segment[offset + 1] = counts;
    }

    int length(int node, boolean wide) {
        int counts = slab.segment(node)[IntSlab.offset(node)];
        return length(
                wide, runCount(counts, wide), Integer.bitCount(prefixWords(counts, wide)), keyCount(counts, wide));
    }

    /** @param prefixWords the number of prefix words after the cover, 0 for narrow nodes */
    static int length(boolean wide, int runs, int prefixWords, int keys) {
        return header(wide) + runs + 1 + prefixWords + keys;
    }

    /** The index in the segment of a slot's value. */
    static int wideIndex(int[] segment, int offset, int slot) {
        int quarter = slot >>> 6;
        int word = offset + STARTS + (quarter << 1);
        long starts = Integer.toUnsignedLong(segment[word]) | (long) segment[word + 1] << 32;
        int before = segment[offset + 1] >>> (quarter << 3) & 0xFF;
        return offset + WIDE_HEADER - 1 + before + Long.bitCount(starts << 63 - (slot & 63));
    }

    /** The index in the segment of a slot's value. */
    static int narrowIndex(int[] segment, int offset, int slot) {
        return offset + NARROW_HEADER - 1 + Integer.bitCount(segment[offset] << 31 - slot);
    }

    int wideValue(int node, int slot) {
        int[] segment = slab.segment(node);
        return (int) INT.getAcquire(segment, wideIndex(segment, IntSlab.offset(node), slot));
    }

    int narrowValue(int node, int slot) {
        int[] segment = slab.segment(node);
        return (int) INT.getAcquire(segment, narrowIndex(segment, IntSlab.offset(node), slot));
    }

    int value(int node, boolean wide, int slot) {
        return wide ? wideValue(node, slot) : narrowValue(node, slot);
    }

    /** The index in the segment of a slot's value, for {@link #read} and {@link #get}. */
    int valueIndex(int node, boolean wide, int slot) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        return wide ? wideIndex(segment, offset, slot) : narrowIndex(segment, offset, slot);
    }

    int read(int node, int index) {
        return (int) INT.getAcquire(slab.segment(node), index);
    }

    /** {@link #read} without ordering, for the writer. */
    int get(int node, int index) {
        return slab.segment(node)[index];
    }

    int runValue(int node, boolean wide, int run) {
        return (int) INT.getAcquire(slab.segment(node), IntSlab.offset(node) + header(wide) + run);
    }

    void setRunValue(int node, boolean wide, int run, int value) {
        INT.setRelease(slab.segment(node), IntSlab.offset(node) + header(wide) + run, value);
    }

    int cover(int node, boolean wide) {
        return runValue(node, wide, runs(node, wide));
    }

    /** Changes the value of a slot that is a run of its own. */
    void setSlotValue(int node, boolean wide, int slot, int value) {
        INT.setRelease(slab.segment(node), valueIndex(node, wide, slot), value);
    }

    /**
     * Returns the first slot from {@code slot} on at which a run starts, -1 if there is none. Prefixes and nodes begin
     * only there.
     */
    int nextStart(int node, boolean wide, int slot) {
        if (slot >= slots(wide)) {
            return -1;
        }
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        if (!wide) {
            int starts = segment[offset] & 0xFFFF & -1 << slot;
            return starts == 0 ? -1 : Integer.numberOfTrailingZeros(starts);
        }
        int word = slot >>> 5;
        int starts = segment[offset + STARTS + word] & -1 << (slot & 31);
        while (starts == 0) {
            if (++word == slots(true) >>> 5) {
                return -1;
            }
            starts = segment[offset + STARTS + word];
        }
        return word << 5 | Integer.numberOfTrailingZeros(starts);
    }

    /** The index in the segment of a wide node's prefix words, or of a narrow node's keys. */
    private static int afterCover(int offset, int counts, boolean wide) {
        return offset + header(wide) + runCount(counts, wide) + 1;
    }

    /** Returns the prefix word with a prefix's bit, 0 if a wide node does not have it. */
    private static int prefixWord(int[] segment, int offset, boolean wide, int bit) {
        if (!wide) {
            return segment[offset + 1];
        }
        int counts = segment[offset];
        int words = counts >>> 16;
        int mask = 1 << (bit >>> 5);
        return (words & mask) == 0 ? 0 : segment[afterCover(offset, counts, true) + Integer.bitCount(words & mask - 1)];
    }

    boolean hasPrefix(int node, boolean wide, int bit) {
        return (prefixWord(node, wide, bit) >>> (bit & 31) & 1) != 0;
    }

    /**
     * Returns the key of a prefix that ends in a node, 0 if the node does not have it. While a prefix is being removed,
     * a reader may get the key of a shorter prefix instead.
     *
     * @param wideBelow whether nodes below are wide
     */
    int key(int node, boolean wide, int bit, boolean wideBelow) {
        int index = keyIndex(node, wide, bit);
        if (index < 0) {
            return 0;
        }
        int key = read(node, index);
        return key >= 0 ? key : cover(~key, wideBelow);
    }

    /**
     * The index in the segment of a prefix's key, for {@link #read} and {@link #get}; -1 if the node does not have it.
     * In the place of the key, there may be the complement of the node below that has it as its cover.
     */
    int keyIndex(int node, boolean wide, int bit) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        int word = prefixWord(segment, offset, wide, bit);
        if ((word >>> (bit & 31) & 1) == 0) {
            return -1;
        }
        if (!hasKey(wide, bit)) {
            return valueIndex(node, wide, bit - slots(wide));
        }
        int rank = Integer.bitCount(word & (1 << (bit & 31)) - 1);
        int counts = segment[offset];
        int words = afterCover(offset, counts, wide);
        int present = prefixWords(counts, wide);
        int before = Integer.bitCount(present & (1 << (bit >>> 5)) - 1);
        for (int i = 0; i < before; i++) {
            rank += Integer.bitCount(segment[words + i]);
        }
        return words + Integer.bitCount(present) + rank;
    }

    /**
     * Returns the key of the longest prefix that covers a prefix of the node and is shorter than it, 0 if there is
     * none.
     *
     * @param bit the prefix bit, whether the node has the prefix or not
     */
    int covering(int node, boolean wide, int bit) {
        for (int shorter = bit >>> 1; shorter > 1; shorter >>>= 1) {
            int index = keyIndex(node, wide, shorter);
            if (index >= 0) {
                return slab.segment(node)[index];
            }
        }
        return cover(node, wide);
    }

    /** Returns whether a prefix of any length can be inserted without another segment. */
    public boolean hasRoom() {
        return slab.hasRoom(MAX_INTS_PER_PREFIX);
    }
}
