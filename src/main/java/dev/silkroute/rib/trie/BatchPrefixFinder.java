package dev.silkroute.rib.trie;

/**
 * Finds up to {@value #MAX_PREFIXES} prefixes of one trie together, for the writer. All of them go down the trie level
 * by level, and the memory of a level is loaded for all before it is used, so that their cache misses overlap.
 *
 * <p>Usage: set {@link #count} to 0, {@link #add} the prefixes, call {@link #find}, read {@link #keys}.
 */
public final class BatchPrefixFinder {
    private static final int MAX_PREFIXES = 128;

    // The prefixes; address bits after the length are 0.
    private final long[] highs = new long[MAX_PREFIXES];
    private final long[] lows = new long[MAX_PREFIXES];
    private final int[] lengths = new int[MAX_PREFIXES];
    /** Number of prefixes added. */
    public int count;
    /** The key of each prefix after {@link #find}, 0 if the trie does not have it. */
    public final int[] keys = new int[MAX_PREFIXES];

    private final TrieNodes nodes;
    /**
     * The slot value that leads to the prefix on the current level, as in {@link TrieNodes}: negative values are
     * complements of nodes, so {@code ~entries[i]} is the node to look into next.
     */
    private final int[] entries = new int[MAX_PREFIXES];
    /** Index in the node's segment of the value or key to be read next. */
    private final int[] indexes = new int[MAX_PREFIXES];
    /**
     * The node that each prefix ends in: positive if it is a wide one, the complement of a narrow one; 0 if it ends in
     * the root or its node is missing.
     */
    private final int[] endNodes = new int[MAX_PREFIXES];

    /** The prefixes that end in a node of the current level, by their index. */
    private final int[] ending = new int[MAX_PREFIXES];

    /** The indexes of the prefixes that continue below the current level. */
    private final int[] continuing = new int[MAX_PREFIXES];

    private int endingCount;
    private int continuingCount;

    public BatchPrefixFinder(TrieNodes nodes) {
        this.nodes = nodes;
    }

    /** Adds a prefix whose address bits after its length are 0. */
    public void add(long high, long low, int length) {
        highs[count] = high;
        lows[count] = low;
        lengths[count++] = length;
    }

    /**
     * Finds the added prefixes and stores their keys in {@link #keys}.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int find(Trie trie) {
        trie.roots(highs, count, entries);
        continuingCount = 0;
        for (int i = 0; i < count; i++) {
            keys[i] = 0;
            endNodes[i] = 0;
            if (lengths[i] <= trie.rootBits) {
                keys[i] = trie.find(highs[i], lows[i], lengths[i]);
            } else if (entries[i] < 0) {
                continuing[continuingCount++] = i;
            }
        }
        int touched = 0;
        for (int base = trie.rootBits; continuingCount > 0; base += trie.stride(base)) {
            int stride = trie.stride(base);
            boolean wide = trie.wide(base);
            splitByEnd(base + stride);
            touched += touchBitmaps(base, stride, wide);
            for (int k = 0; k < endingCount; k++) {
                int i = ending[k];
                endNodes[i] = wide ? ~entries[i] : entries[i];
                indexes[i] = nodes.keyIndex(~entries[i], wide, prefixBit(i, base));
            }
            for (int k = 0; k < continuingCount; k++) {
                int i = continuing[k];
                indexes[i] = nodes.valueIndex(~entries[i], wide, Trie.bits(highs[i], lows[i], base, stride));
            }
            for (int k = 0; k < endingCount; k++) {
                int i = ending[k];
                keys[i] = indexes[i] < 0 ? 0 : nodes.get(~entries[i], indexes[i]);
            }
            for (int k = 0; k < endingCount; k++) {
                int i = ending[k];
                keys[i] = keys[i] >= 0 ? keys[i] : nodes.cover(~keys[i], trie.wide(base + stride));
            }
            goDown();
        }
        return touched;
    }

    /**
     * Loads what changes when a prefix comes or goes: all of the node it ends in, which is replaced, and the counter of
     * its root slot.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int touchEndNode(Trie trie, int i) {
        int node = endNodes[i];
        int touched = trie.touchCount(highs[i]);
        if (node != 0) {
            touched += node > 0 ? nodes.touchAll(node, true) : nodes.touchAll(~node, false);
        }
        return touched;
    }

    /** Moves the prefixes of at most {@code bit} bits from {@link #continuing} to {@link #ending}. */
    private void splitByEnd(int bit) {
        int left = 0;
        endingCount = 0;
        for (int k = 0; k < continuingCount; k++) {
            int i = continuing[k];
            if (lengths[i] <= bit) {
                ending[endingCount++] = i;
            } else {
                continuing[left++] = i;
            }
        }
        continuingCount = left;
    }

    /** The prefix bit of a prefix in the node at a depth, see {@link TrieNodes}. */
    private int prefixBit(int i, int base) {
        int bits = lengths[i] - base;
        return 1 << bits | Trie.bits(highs[i], lows[i], base, bits);
    }

    private int touchBitmaps(int base, int stride, boolean wide) {
        int touched = 0;
        for (int k = 0; k < endingCount; k++) {
            int i = ending[k];
            touched += nodes.prefixWord(~entries[i], wide, prefixBit(i, base));
        }
        for (int k = 0; k < continuingCount; k++) {
            int i = continuing[k];
            touched += nodes.startWord(~entries[i], wide, Trie.bits(highs[i], lows[i], base, stride));
        }
        return touched;
    }

    /** Reads the slot values of the continuing prefixes and drops those that have no node below. */
    private void goDown() {
        int left = 0;
        for (int k = 0; k < continuingCount; k++) {
            int i = continuing[k];
            entries[i] = nodes.get(~entries[i], indexes[i]);
        }
        for (int k = 0; k < continuingCount; k++) {
            int i = continuing[k];
            if (entries[i] < 0) {
                continuing[left++] = i;
            }
        }
        continuingCount = left;
    }
}
