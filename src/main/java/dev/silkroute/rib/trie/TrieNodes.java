package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;
import dev.silkroute.rib.memory.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The nodes of all tries of a shard below their roots. Wide nodes decide 8 bits, narrow ones 4. Consecutive slots with
 * the same value form a run, and only runs are stored: a node is the bitmaps that locate runs and prefixes, followed by
 * the values.
 *
 * <pre>
 * wide (8 bits):    16 run words | counts | 16 prefix words | value of each run | cover | key of each prefix
 * narrow (4 bits):   1 run word  | counts |  1 prefix word  | value of each run | cover | key of each prefix
 *
 * run word     lower half: bit i is set if a run starts at slot i of its 16; upper half: runs in earlier words
 * counts       number of prefixes (16 bits) | number of runs (16 bits)
 * prefix bit   1 &lt;&lt; n | first n bits of the slot: a prefix that ends n bits into the node; keys are in this order
 * value &gt; 0    the key of the longest match of every address in the run
 *       = 0    no match except possibly the prefix of length 0
 *       &lt; 0    complement (~) of the node below; the run is one slot
 * cover        the longest match from above the node for all of it, a value &gt;= 0
 * </pre>
 *
 * For example, the narrow node at bit 24 below 192.0.2.0/24 (key 0x30000001), in which 192.0.2.16/28 (key
 * 0x38000002) ends, with slot 1 as its only slot:
 *
 * <pre>
 * 00000007             runs start at slots 0, 1 and 2
 * 00010003             1 prefix, 3 runs
 * 00020000             prefix bit 1 &lt;&lt; 4 | 1 = 17
 * 30000001 38000002 30000001
 * 30000001             cover
 * 38000002
 * </pre>
 *
 * To look up 192.0.2.17 (slot 1), the start bits up to slot 1 are counted: 2, so the second value is the match.
 *
 * <p>One thread writes. Only values are ever changed in place, each with one release store; for any other change a new
 * node is made ({@link NodeSplice}, {@link NodeEditor}), published in the parent with one store, and the old one is
 * reclaimed when no reader can have it.
 */
public final class TrieNodes {
    static final int WIDE_BITS = 8;
    static final int NARROW_BITS = 4;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int WIDE_VALUES = 33;
    private static final int NARROW_VALUES = 3;
    /** Prefix words of a wide node. */
    private static final int PREFIX_WORDS = 16;

    /** From this prefix bit on, keys are counted from the end: most prefixes of a wide node end at its last bit. */
    private static final int HALF = 256;

    /** Ints per cache line. */
    private static final int LINE = 16;

    /** The most ints that inserting one prefix can need: a few wide nodes, and narrow ones down to bit 128. */
    private static final int MAX_INTS_PER_PREFIX = 4096;

    public final IntSlab slab;

    public TrieNodes(MemoryBudget memory) {
        slab = new IntSlab(memory);
    }

    static int runWords(boolean wide) {
        return wide ? 16 : 1;
    }

    static int values(boolean wide) {
        return wide ? WIDE_VALUES : NARROW_VALUES;
    }

    int[] segment(int node) {
        return slab.segment(node);
    }

    /** The word that locates a slot's value; reading it loads it into the caches. */
    int runWord(int node, int slot) {
        return slab.segment(node)[IntSlab.offset(node) + (slot >>> 4)];
    }

    /** The words that locate a prefix's key; reading them loads them into the caches. */
    int prefixWord(int node, boolean wide, int bit) {
        int[] segment = slab.segment(node);
        int counts = IntSlab.offset(node) + runWords(wide);
        return segment[counts] + segment[counts + 1 + (bit >>> 5)];
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

    private int counts(int node, boolean wide) {
        return slab.segment(node)[IntSlab.offset(node) + runWords(wide)];
    }

    int runs(int node, boolean wide) {
        return counts(node, wide) & 0xFFFF;
    }

    int prefixes(int node, boolean wide) {
        return counts(node, wide) >>> 16;
    }

    int length(int node, boolean wide) {
        int counts = counts(node, wide);
        return length(wide, counts & 0xFFFF, counts >>> 16);
    }

    static int length(boolean wide, int runs, int prefixes) {
        return values(wide) + runs + 1 + prefixes;
    }

    int wideValue(int node, int slot) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        int word = segment[offset + (slot >>> 4)];
        int run = (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15));
        return (int) INT.getAcquire(segment, offset + WIDE_VALUES - 1 + run);
    }

    /** The index in the segment of a slot's value, for {@link #read} and {@link #get}. */
    int valueIndex(int node, boolean wide, int slot) {
        int offset = IntSlab.offset(node);
        int word = slab.segment(node)[offset + (slot >>> 4)];
        return offset + values(wide) - 1 + (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15));
    }

    int read(int node, int index) {
        return (int) INT.getAcquire(slab.segment(node), index);
    }

    /** {@link #read} without ordering, for the writer. */
    int get(int node, int index) {
        return slab.segment(node)[index];
    }

    int narrowValue(int node, int slot) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        return (int) INT.getAcquire(
                segment, offset + NARROW_VALUES - 1 + Integer.bitCount(segment[offset] & 0xFFFF >>> 15 - slot));
    }

    int value(int node, boolean wide, int slot) {
        return wide ? wideValue(node, slot) : narrowValue(node, slot);
    }

    int runValue(int node, boolean wide, int run) {
        return (int) INT.getAcquire(slab.segment(node), IntSlab.offset(node) + values(wide) + run);
    }

    void setRunValue(int node, boolean wide, int run, int value) {
        INT.setRelease(slab.segment(node), IntSlab.offset(node) + values(wide) + run, value);
    }

    /** Changes the value of a slot that is a run of its own. */
    void setSlotValue(int node, boolean wide, int slot, int value) {
        int word = slab.segment(node)[IntSlab.offset(node) + (slot >>> 4)];
        setRunValue(node, wide, (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15)) - 1, value);
    }

    /**
     * Returns the first slot from {@code slot} on at which a run starts, -1 if there is none. Prefixes and nodes begin
     * only there.
     */
    int nextStart(int node, boolean wide, int slot) {
        int[] segment = slab.segment(node);
        int offset = IntSlab.offset(node);
        int words = runWords(wide);
        int word = slot >>> 4;
        if (word >= words) {
            return -1;
        }
        int starts = segment[offset + word] & 0xFFFF & -1 << (slot & 15);
        while (starts == 0) {
            if (++word == words) {
                return -1;
            }
            starts = segment[offset + word] & 0xFFFF;
        }
        return word << 4 | Integer.numberOfTrailingZeros(starts);
    }

    boolean hasPrefix(int node, boolean wide, int bit) {
        int word = slab.segment(node)[IntSlab.offset(node) + runWords(wide) + 1 + (bit >>> 5)];
        return (word >>> (bit & 31) & 1) != 0;
    }

    /** Returns the key of a prefix that ends in a node, 0 if the node does not have it. */
    int key(int node, boolean wide, int bit) {
        int index = keyIndex(node, wide, bit);
        return index < 0 ? 0 : slab.segment(node)[index];
    }

    /**
     * The index in the segment of a prefix's key, for {@link #read} and {@link #get}; -1 if the node does not have it.
     */
    int keyIndex(int node, boolean wide, int bit) {
        int[] segment = slab.segment(node);
        int words = IntSlab.offset(node) + runWords(wide) + 1;
        int word = segment[words + (bit >>> 5)];
        if ((word >>> (bit & 31) & 1) == 0) {
            return -1;
        }
        int keys = IntSlab.offset(node) + values(wide) + (segment[words - 1] & 0xFFFF) + 1;
        if (bit < HALF) {
            int rank = Integer.bitCount(word & (1 << (bit & 31)) - 1);
            for (int i = 0; i < bit >>> 5; i++) {
                rank += Integer.bitCount(segment[words + i]);
            }
            return keys + rank;
        }
        int from = Integer.bitCount(word & -1 << (bit & 31));
        for (int i = (bit >>> 5) + 1; i < PREFIX_WORDS; i++) {
            from += Integer.bitCount(segment[words + i]);
        }
        return keys + (segment[words - 1] >>> 16) - from;
    }

    /**
     * Returns the key of the longest prefix that covers a prefix of the node and is shorter than it, 0 if there is
     * none.
     *
     * @param bit the prefix bit, whether the node has the prefix or not
     */
    int covering(int node, boolean wide, int bit) {
        for (int shorter = bit >>> 1; shorter > 1; shorter >>>= 1) {
            if (hasPrefix(node, wide, shorter)) {
                return key(node, wide, shorter);
            }
        }
        return runValue(node, wide, runs(node, wide));
    }

    /** Returns whether a prefix of any length can be inserted without another segment. */
    public boolean hasRoom() {
        return slab.hasRoom(MAX_INTS_PER_PREFIX);
    }
}
