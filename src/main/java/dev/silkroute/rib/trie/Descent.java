package dev.silkroute.rib.trie;

import dev.silkroute.rib.apply.EventPrefetcher;

/**
 * Finds some prefixes of one trie together: each step is loaded for all of them before the next, so that their memory is waited for together. The writer's.
 */
public final class Descent {
    private static final int MOST = EventPrefetcher.MOST;

    /** The prefixes; bits after their lengths are 0. */
    final long[] highs = new long[MOST];

    final long[] lows = new long[MOST];
    final int[] lengths = new int[MOST];
    public int count;
    /** What was found, 0 for a prefix that isn't there. */
    public final int[] keys = new int[MOST];

    private final TrieNodes nodes;
    private final int[] entries = new int[MOST];
    private final int[] places = new int[MOST];
    /** Nodes that prefixes end in, complements of narrow ones; 0 for prefixes of the root, and where there is no node yet. */
    private final int[] ends = new int[MOST];

    /** Prefixes that end at the level, and those that go on. */
    private final int[] ending = new int[MOST];

    private final int[] going = new int[MOST];
    private int endings;
    private int goings;

    public Descent(TrieNodes nodes) {
        this.nodes = nodes;
    }

    public void add(long high, long low, int length) {
        highs[count] = high;
        lows[count] = low;
        lengths[count++] = length;
    }

    /** Fills {@link #keys}. @return what was loaded, not to be looked at */
    public int find(Trie trie) {
        trie.roots(highs, count, entries);
        goings = 0;
        for (int i = 0; i < count; i++) {
            keys[i] = 0;
            ends[i] = 0;
            if (lengths[i] <= trie.rootBits) {
                keys[i] = trie.find(highs[i], lows[i], lengths[i]);
            } else if (entries[i] < 0) {
                going[goings++] = i;
            }
        }
        int touched = 0;
        for (int base = trie.rootBits; goings > 0; base += trie.stride(base)) {
            int stride = trie.stride(base);
            boolean wide = trie.wide(base);
            split(base + stride);
            touched += load(base, stride, wide);
            for (int k = 0; k < endings; k++) {
                int i = ending[k];
                ends[i] = wide ? ~entries[i] : entries[i];
                places[i] = nodes.placeOfKey(~entries[i], wide, bit(i, base));
            }
            for (int k = 0; k < goings; k++) {
                int i = going[k];
                places[i] = nodes.placeOfValue(~entries[i], wide, Trie.bits(highs[i], lows[i], base, stride));
            }
            for (int k = 0; k < endings; k++) {
                int i = ending[k];
                keys[i] = places[i] < 0 ? 0 : nodes.own(~entries[i], places[i]);
            }
            step();
        }
        return touched;
    }

    /** Loads what changes when a prefix that was sought comes or goes: all of the node that it ends in, which is made anew, and where its routes are counted. */
    public int loadEnd(Trie trie, int i) {
        int end = ends[i];
        int touched = trie.loadCount(highs[i]);
        if (end != 0) {
            touched += end > 0 ? nodes.loadAll(end, true) : nodes.loadAll(~end, false);
        }
        return touched;
    }

    /** Tells those that end before a bit from the others. */
    private void split(int before) {
        int on = 0;
        endings = 0;
        for (int k = 0; k < goings; k++) {
            int i = going[k];
            if (lengths[i] <= before) {
                ending[endings++] = i;
            } else {
                going[on++] = i;
            }
        }
        goings = on;
    }

    private int bit(int i, int base) {
        int r = lengths[i] - base;
        return 1 << r | Trie.bits(highs[i], lows[i], base, r);
    }

    private int load(int base, int stride, boolean wide) {
        int touched = 0;
        for (int k = 0; k < endings; k++) {
            int i = ending[k];
            touched += nodes.prefixWord(~entries[i], wide, bit(i, base));
        }
        for (int k = 0; k < goings; k++) {
            int i = going[k];
            touched += nodes.runWord(~entries[i], Trie.bits(highs[i], lows[i], base, stride));
        }
        return touched;
    }

    private void step() {
        int on = 0;
        for (int k = 0; k < goings; k++) {
            int i = going[k];
            entries[i] = nodes.own(~entries[i], places[i]);
        }
        for (int k = 0; k < goings; k++) {
            int i = going[k];
            if (entries[i] < 0) {
                going[on++] = i;
            }
        }
        goings = on;
    }
}
