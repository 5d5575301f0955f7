package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;
import dev.silkroute.rib.memory.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The nodes below the roots of all tries of a shard: of 8 bits where prefixes are dense, of 4 bits elsewhere. Slots that follow each other and say the same are
 * a run, and only runs are stored.
 *
 * <pre>
 * wide (8 bits):   16 run words | counts | 16 prefix words | a value for each run | cover | a key for each prefix
 * narrow (4 bits):  1 run word  | counts |  1 prefix word  | a value for each run | cover | a key for each prefix
 *
 * run word     bit i: a run begins at slot i of 16; upper half: runs that begin in the words before
 * counts       prefixes (16) | runs (16)
 * prefix bit   1 &lt;&lt; r | upper r bits of the slot: a prefix that ends r bits into the node is there; keys in the order of these bits
 * value &gt; 0    the longest match of all that the run covers, a key
 *       = 0    nothing matches but perhaps the prefix of length 0
 *       &lt; 0    ~ the node of the next level, for one slot
 * cover        the longest match of all that the node covers, from above it: a value &gt;= 0
 * </pre>
 *
 * A node is never changed but for its values, each in one store; otherwise it is made anew ({@link NodeEditor}) and the old one goes when no reader has it.
 */
public final class TrieNodes {
    static final int WIDE_BITS = 8;
    static final int NARROW_BITS = 4;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int WIDE_VALUES = 33;
    private static final int NARROW_VALUES = 3;
    /** Words of prefixes of a wide node. */
    private static final int PREFIX_WORDS = 16;

    /** Prefixes from this bit on are counted from the end: there a wide node has those of its last bit, which most are. */
    private static final int HALF = 256;

    /** Ints of a line of the caches. */
    private static final int LINE = 16;

    /** What a prefix may need: a few wide nodes, and narrow ones down to bit 128. */
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

    /** What says where a slot's value is, to be loaded early. */
    int runWord(int node, int slot) {
        return slab.segment(node)[IntSlab.offset(node) + (slot >>> 4)];
    }

    /** What says where a prefix's key is, to be loaded early. */
    int prefixWord(int node, boolean wide, int bit) {
        int[] a = slab.segment(node);
        int counts = IntSlab.offset(node) + runWords(wide);
        return a[counts] + a[counts + 1 + (bit >>> 5)];
    }

    /** Loads all of a node. @return not to be looked at */
    int touchAll(int node, boolean wide) {
        int[] a = slab.segment(node);
        int at = IntSlab.offset(node);
        int end = at + length(node, wide);
        int touched = a[end - 1];
        for (int i = at; i < end; i += LINE) {
            touched += a[i];
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
        int[] a = slab.segment(node);
        int at = IntSlab.offset(node);
        int word = a[at + (slot >>> 4)];
        int run = (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15));
        return (int) INT.getAcquire(a, at + WIDE_VALUES - 1 + run);
    }

    /** Where the value of a slot is, for {@link #at}. */
    int valueIndex(int node, boolean wide, int slot) {
        int at = IntSlab.offset(node);
        int word = slab.segment(node)[at + (slot >>> 4)];
        return at + values(wide) - 1 + (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15));
    }

    int read(int node, int index) {
        return (int) INT.getAcquire(slab.segment(node), index);
    }

    /** {@link #at}, for the writer. */
    int get(int node, int index) {
        return slab.segment(node)[index];
    }

    int narrowValue(int node, int slot) {
        int[] a = slab.segment(node);
        int at = IntSlab.offset(node);
        return (int) INT.getAcquire(a, at + NARROW_VALUES - 1 + Integer.bitCount(a[at] & 0xFFFF >>> 15 - slot));
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

    /** Changes the value of a slot that is a run by itself. */
    void setSlotValue(int node, boolean wide, int slot, int value) {
        int word = slab.segment(node)[IntSlab.offset(node) + (slot >>> 4)];
        setRunValue(node, wide, (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15)) - 1, value);
    }

    /** The first slot from {@code slot} on that a run begins at, -1 if there is none: only there a prefix or a node can begin. */
    int nextStart(int node, boolean wide, int slot) {
        int[] a = slab.segment(node);
        int at = IntSlab.offset(node);
        int words = runWords(wide);
        int word = slot >>> 4;
        if (word >= words) {
            return -1;
        }
        int starts = a[at + word] & 0xFFFF & -1 << (slot & 15);
        while (starts == 0) {
            if (++word == words) {
                return -1;
            }
            starts = a[at + word] & 0xFFFF;
        }
        return word << 4 | Integer.numberOfTrailingZeros(starts);
    }

    boolean hasPrefix(int node, boolean wide, int bit) {
        int word = slab.segment(node)[IntSlab.offset(node) + runWords(wide) + 1 + (bit >>> 5)];
        return (word >>> (bit & 31) & 1) != 0;
    }

    /** The key of a prefix that ends in a node, 0 if it isn't there. */
    int key(int node, boolean wide, int bit) {
        int index = keyIndex(node, wide, bit);
        return index < 0 ? 0 : slab.segment(node)[index];
    }

    /** Where the key of a prefix is, for {@link #at}; -1 if it isn't there. */
    int keyIndex(int node, boolean wide, int bit) {
        int[] a = slab.segment(node);
        int words = IntSlab.offset(node) + runWords(wide) + 1;
        int word = a[words + (bit >>> 5)];
        if ((word >>> (bit & 31) & 1) == 0) {
            return -1;
        }
        int keys = IntSlab.offset(node) + values(wide) + (a[words - 1] & 0xFFFF) + 1;
        if (bit < HALF) {
            int rank = Integer.bitCount(word & (1 << (bit & 31)) - 1);
            for (int i = 0; i < bit >>> 5; i++) {
                rank += Integer.bitCount(a[words + i]);
            }
            return keys + rank;
        }
        int from = Integer.bitCount(word & -1 << (bit & 31));
        for (int i = (bit >>> 5) + 1; i < PREFIX_WORDS; i++) {
            from += Integer.bitCount(a[words + i]);
        }
        return keys + (a[words - 1] >>> 16) - from;
    }

    /** The longest prefix above one of a node: shorter, and covering it; 0 if there is none. @param bit where the node keeps it, or would */
    int covering(int node, boolean wide, int bit) {
        for (int shorter = bit >>> 1; shorter > 1; shorter >>>= 1) {
            if (hasPrefix(node, wide, shorter)) {
                return key(node, wide, shorter);
            }
        }
        return runValue(node, wide, runs(node, wide));
    }

    /** Whether a prefix of any length can be added without another segment. */
    public boolean hasRoom() {
        return slab.hasRoom(MAX_INTS_PER_PREFIX);
    }
}
