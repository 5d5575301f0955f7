package dev.silkroute.rib;

/**
 * The usual changes of a node, straight from the old one to the new: a prefix within one run comes, or one that is a run by itself goes. What is more
 * than that is {@link NodeEditor}'s. The writer's. Layout: {@link TrieNodes}.
 */
final class NodeSplice {
    private final TrieNodes nodes;
    // The node that was looked at last.
    private int[] a = {};
    private int at;
    private int words;
    private int values;
    private int runs;
    private int prefixes;

    NodeSplice(TrieNodes nodes) {
        this.nodes = nodes;
    }

    private void open(int node, boolean wide) {
        a = nodes.segment(node);
        at = IntSlab.offset(node);
        words = TrieNodes.runWords(wide);
        values = at + TrieNodes.values(wide);
        runs = nodes.runs(node, wide);
        prefixes = nodes.prefixes(node, wide);
    }

    private int slots() {
        return words << 4;
    }

    private int run(int slot) {
        int word = a[at + (slot >>> 4)];
        return (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15)) - 1;
    }

    private boolean begins(int slot) {
        return (a[at + (slot >>> 4)] >>> (slot & 15) & 1) != 0;
    }

    private boolean ends(int to) {
        return to == slots() || begins(to);
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
        open(node, wide);
        int run = run(from);
        int value = a[values + run];
        if (value < 0 || run(to - 1) != run) {
            return 0;
        }
        int left = begins(from) ? 0 : 1;
        int right = ends(to) ? 0 : 1;
        int made = nodes.slab.claim(TrieNodes.length(wide, runs + left + right, prefixes + 1));
        int[] b = nodes.segment(made);
        int bt = IntSlab.offset(made);
        words(b, bt, from, true, to, to < slots());
        int put = bt + values - at;
        System.arraycopy(a, values, b, put, run + left);
        b[put + run + left] = key;
        if (right > 0) {
            b[put + run + left + 1] = value;
        }
        System.arraycopy(a, values + run + 1, b, put + run + left + 1 + right, runs - run);
        int rank = prefixWords(b, bt, bit, true);
        int keys = put + runs + left + right + 1;
        System.arraycopy(a, values + runs + 1, b, keys, rank);
        b[keys + rank] = key;
        System.arraycopy(a, values + runs + 1 + rank, b, keys + rank + 1, prefixes - rank);
        b[bt + words] = prefixes + 1 << 16 | runs + left + right;
        return made;
    }

    /**
     * The node without a prefix that is there.
     *
     * @param cover what its slots say instead
     * @return 0 if the prefix isn't all of a run, or nothing would be left
     */
    int remove(int node, boolean wide, int from, int to, int bit, int cover) {
        open(node, wide);
        int run = run(from);
        if (a[values + run] < 0 || !begins(from) || run(to - 1) != run || !ends(to)) {
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
        words(b, bt, from, left == 0, to, to < slots() && right == 0);
        int put = bt + values - at;
        System.arraycopy(a, values, b, put, run);
        b[put + run - left] = cover;
        int rest = runs - run - right; // and the node's cover
        System.arraycopy(a, values + runs + 1 - rest, b, put + run - left + 1, rest);
        int rank = prefixWords(b, bt, bit, false);
        int keys = put + runs - left - right + 1;
        System.arraycopy(a, values + runs + 1, b, keys, rank);
        System.arraycopy(a, values + runs + 1 + rank + 1, b, keys + rank, prefixes - rank - 1);
        b[bt + words] = prefixes - 1 << 16 | runs - left - right;
        return made;
    }

    /** The run words, with runs beginning at two slots or not. Those before the first stay as they are, those behind the second count so many more runs before. */
    private void words(int[] b, int bt, int from, boolean atFrom, int to, boolean atTo) {
        int first = from >>> 4;
        int last = Math.min(to >>> 4, words - 1);
        System.arraycopy(a, at, b, bt, first);
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

    /** The prefix words with or without a prefix. @return prefixes before it */
    private int prefixWords(int[] b, int bt, int bit, boolean there) {
        int first = at + words + 1;
        System.arraycopy(a, first, b, bt + words + 1, words);
        int word = bit >>> 5;
        int mask = 1 << (bit & 31);
        int bits = a[first + word];
        b[bt + words + 1 + word] = there ? bits | mask : bits & ~mask;
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
