package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;

/**
 * The usual changes of a node, straight from the old one to the new: a prefix within one run comes, or one that is a run by itself goes. What is more
 * than that is {@link NodeEditor}'s. The writer's. Layout: {@link TrieNodes}.
 */
final class NodeSplice {
    private final TrieNodes nodes;
    // Of the node that was looked at last.
    private int at;
    private int words;
    private int values;
    private int runs;
    private int prefixes;

    NodeSplice(TrieNodes nodes) {
        this.nodes = nodes;
    }

    private int[] open(int node, boolean wide) {
        at = IntSlab.offset(node);
        words = TrieNodes.runWords(wide);
        values = at + TrieNodes.values(wide);
        runs = nodes.runs(node, wide);
        prefixes = nodes.prefixes(node, wide);
        return nodes.segment(node);
    }

    private int slots() {
        return words << 4;
    }

    private int run(int[] a, int slot) {
        int word = a[at + (slot >>> 4)];
        return (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15)) - 1;
    }

    private boolean begins(int[] a, int slot) {
        return (a[at + (slot >>> 4)] >>> (slot & 15) & 1) != 0;
    }

    private boolean ends(int[] a, int to) {
        return to == slots() || begins(a, to);
    }

    /**
     * The node with a prefix that isn't there.
     *
     * @param from first slot of the prefix
     * @param to slot after its last
     * @param bit where the node keeps the prefix
     * @return 0 if the prefix is longer than others here, or nodes are below it
     */
    int insert(int node, boolean wide, int from, int to, int bit, int key) {
        int[] a = open(node, wide);
        int run = run(a, from);
        int value = a[values + run];
        if (value < 0 || run(a, to - 1) != run) {
            return 0;
        }
        int left = begins(a, from) ? 0 : 1;
        int right = ends(a, to) ? 0 : 1;
        int made = nodes.slab.claim(TrieNodes.length(wide, runs + left + right, prefixes + 1));
        int[] b = nodes.segment(made);
        int bt = IntSlab.offset(made);
        int put = bt + values - at;
        int rank = rank(a, bit);
        System.arraycopy(a, at, b, bt, values - at + run + left);
        b[put + run + left] = key;
        if (right > 0) {
            b[put + run + left + 1] = value;
        }
        System.arraycopy(a, values + run + 1, b, put + run + left + 1 + right, runs - run + rank);
        int keys = put + runs + left + right + 1;
        b[keys + rank] = key;
        System.arraycopy(a, values + runs + 1 + rank, b, keys + rank + 1, prefixes - rank);
        words(a, b, bt, from, true, to, to < slots());
        b[bt + words] = prefixes + 1 << 16 | runs + left + right;
        b[bt + words + 1 + (bit >>> 5)] |= 1 << (bit & 31);
        return made;
    }

    /**
     * The node without a prefix that is there.
     *
     * @param cover what its slots say instead
     * @return 0 if the prefix isn't all of a run, or nothing would be left
     */
    int remove(int node, boolean wide, int from, int to, int bit, int cover) {
        int[] a = open(node, wide);
        int run = run(a, from);
        if (a[values + run] < 0 || !begins(a, from) || run(a, to - 1) != run || !ends(a, to)) {
            return 0;
        }
        int left = run > 0 && a[values + run - 1] == cover ? 1 : 0;
        int right = run + 1 < runs && a[values + run + 1] == cover ? 1 : 0;
        if (prefixes == 1 && runs - left - right == 1) {
            return 0;
        }
        int made = nodes.slab.claim(TrieNodes.length(wide, runs - left - right, prefixes - 1));
        int[] b = nodes.segment(made);
        int bt = IntSlab.offset(made);
        int put = bt + values - at;
        int rank = rank(a, bit);
        System.arraycopy(a, at, b, bt, values - at + run);
        b[put + run - left] = cover;
        System.arraycopy(a, values + run + 1 + right, b, put + run - left + 1, runs - run - right + rank);
        int keys = put + runs - left - right + 1;
        System.arraycopy(a, values + runs + 1 + rank + 1, b, keys + rank, prefixes - rank - 1);
        words(a, b, bt, from, left == 0, to, to < slots() && right == 0);
        b[bt + words] = prefixes - 1 << 16 | runs - left - right;
        b[bt + words + 1 + (bit >>> 5)] &= ~(1 << (bit & 31));
        return made;
    }

    /** The run words, with runs beginning at two slots or not. Those before the first stay as they are, those behind the second count so many more runs before. */
    private void words(int[] a, int[] b, int bt, int from, boolean atFrom, int to, boolean atTo) {
        int first = from >>> 4;
        int last = Math.min(to >>> 4, words - 1);
        int before = a[at + first] >>> 16;
        for (int w = first; w <= last; w++) {
            int starts = a[at + w] & 0xFFFF;
            if (w == first) {
                int bit = 1 << (from & 15);
                starts = atFrom ? starts | bit : starts & ~bit;
            }
            if (w == to >>> 4) {
                int bit = 1 << (to & 15);
                starts = atTo ? starts | bit : starts & ~bit;
            }
            b[bt + w] = before << 16 | starts;
            before += Integer.bitCount(starts);
        }
        if (last + 1 < words) {
            int more = before - (a[at + last + 1] >>> 16) << 16;
            for (int w = last + 1; w < words; w++) {
                b[bt + w] = a[at + w] + more;
            }
        }
    }

    /** Prefixes before one. */
    private int rank(int[] a, int bit) {
        int first = at + words + 1;
        int word = bit >>> 5;
        int bits = a[first + word];
        int mask = 1 << (bit & 31);
        // Most are in the upper half: counted from the nearer end
        if (word < words >>> 1) {
            int rank = Integer.bitCount(bits & mask - 1);
            for (int w = 0; w < word; w++) {
                rank += Integer.bitCount(a[first + w]);
            }
            return rank;
        }
        int behind = Integer.bitCount(bits & -mask);
        for (int w = word + 1; w < words; w++) {
            behind += Integer.bitCount(a[first + w]);
        }
        return prefixes - behind;
    }
}
