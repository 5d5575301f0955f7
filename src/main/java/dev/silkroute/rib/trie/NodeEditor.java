package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;

/** Makes nodes anew with something changed: takes one apart, and puts it together again. The writer's. Layout: {@link TrieNodes}. */
final class NodeEditor {
    private final TrieNodes nodes;
    private boolean wide;
    /** First slots of the runs; at the end the number of slots. */
    private int[] starts = new int[258];

    private int[] values = new int[258];
    private int runs;
    private int cover;
    // What a change makes of the runs, taking the place of these after it.
    private int[] newStarts = new int[258];
    private int[] newValues = new int[258];
    private int newRuns;
    private final int[] prefixWords = new int[16];
    private final int[] keys = new int[512];
    private int prefixes;

    NodeEditor(TrieNodes nodes) {
        this.nodes = nodes;
    }

    /** Begins with a node all of whose slots say the same. */
    void fresh(boolean isWide, int value) {
        wide = isWide;
        runs = 1;
        starts[0] = 0;
        starts[1] = slots();
        values[0] = value;
        cover = value;
        java.util.Arrays.fill(prefixWords, 0);
        prefixes = 0;
    }

    private int slots() {
        return wide ? 1 << TrieNodes.WIDE_BITS : 1 << TrieNodes.NARROW_BITS;
    }

    void load(boolean isWide, int node) {
        wide = isWide;
        int[] a = nodes.segment(node);
        int at = IntSlab.offset(node);
        int words = TrieNodes.runWords(wide);
        runs = 0;
        for (int w = 0; w < words; w++) {
            for (int bits = a[at + w] & 0xFFFF; bits != 0; bits &= bits - 1) {
                starts[runs++] = w << 4 | Integer.numberOfTrailingZeros(bits);
            }
        }
        starts[runs] = slots();
        prefixes = nodes.prefixes(node, wide);
        System.arraycopy(a, at + words + 1, prefixWords, 0, words);
        System.arraycopy(a, at + TrieNodes.values(wide), values, 0, runs);
        cover = a[at + TrieNodes.values(wide) + runs];
        System.arraycopy(a, at + TrieNodes.values(wide) + runs + 1, keys, 0, prefixes);
    }

    int value(int run) {
        return values[run];
    }

    private void emit(int start, int value) {
        if (newRuns == 0 || newValues[newRuns - 1] != value) {
            newStarts[newRuns] = start;
            newValues[newRuns++] = value;
        }
    }

    /** What becomes of the value of a run, or of a part of one. */
    @FunctionalInterface
    interface Change {
        int of(int value);
    }

    /** Changes what the slots from {@code from} to before {@code to} say, and joins runs that say the same. */
    void change(int from, int to, Change change) {
        newRuns = 0;
        for (int run = 0; run < runs; run++) {
            int start = starts[run];
            int end = starts[run + 1];
            int value = values[run];
            if (end <= from || start >= to) {
                emit(start, value);
                continue;
            }
            if (start < from) {
                emit(start, value);
            }
            emit(Math.max(start, from), change.of(value));
            if (end > to) {
                emit(to, value);
            }
        }
        newStarts[newRuns] = slots();
        int[] swap = starts;
        starts = newStarts;
        newStarts = swap;
        swap = values;
        values = newValues;
        newValues = swap;
        runs = newRuns;
    }

    private int rank(int bit) {
        int rank = Integer.bitCount(prefixWords[bit >>> 5] & (1 << (bit & 31)) - 1);
        for (int i = 0; i < bit >>> 5; i++) {
            rank += Integer.bitCount(prefixWords[i]);
        }
        return rank;
    }

    void addPrefix(int bit, int key) {
        int rank = rank(bit);
        System.arraycopy(keys, rank, keys, rank + 1, prefixes - rank);
        keys[rank] = key;
        prefixes++;
        prefixWords[bit >>> 5] |= 1 << (bit & 31);
    }

    void removePrefix(int bit) {
        int rank = rank(bit);
        prefixes--;
        System.arraycopy(keys, rank + 1, keys, rank, prefixes - rank);
        prefixWords[bit >>> 5] &= ~(1 << (bit & 31));
    }

    /** Whether nothing begins here, so that all slots say what {@code value(0)} does. */
    boolean empty() {
        return prefixes == 0 && runs == 1 && values[0] >= 0;
    }

    /** The node as it is now, not yet published. */
    int store() {
        int words = TrieNodes.runWords(wide);
        int node = nodes.slab.claim(TrieNodes.length(wide, runs, prefixes));
        int[] a = nodes.segment(node);
        int at = IntSlab.offset(node);
        int run = 0;
        for (int w = 0; w < words; w++) {
            int word = run << 16;
            for (int end = w + 1 << 4; run < runs && starts[run] < end; run++) {
                word |= 1 << (starts[run] & 15);
            }
            a[at + w] = word;
        }
        a[at + words] = prefixes << 16 | runs;
        System.arraycopy(prefixWords, 0, a, at + words + 1, words);
        System.arraycopy(values, 0, a, at + TrieNodes.values(wide), runs);
        a[at + TrieNodes.values(wide) + runs] = cover;
        System.arraycopy(keys, 0, a, at + TrieNodes.values(wide) + runs + 1, prefixes);
        return node;
    }
}
