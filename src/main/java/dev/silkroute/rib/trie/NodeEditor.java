package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;
import java.util.Arrays;

/**
 * Unpacks a node into arrays, changes it and packs it again, for changes that affect several runs. The usual changes
 * are made faster by {@link NodeSplice}. Used by the writer only; layout: {@link TrieNodes}.
 */
final class NodeEditor {
    private final TrieNodes nodes;
    private boolean wide;
    /** The first slot of each run, then the number of slots. */
    private int[] starts = new int[258];

    private int[] values = new int[258];
    private int runs;
    private int cover;
    // The runs after a change; they swap places with the arrays above.
    private int[] newStarts = new int[258];
    private int[] newValues = new int[258];
    private int newRuns;
    private final int[] prefixWords = new int[16];
    private final int[] keys = new int[512];
    private int prefixes;

    NodeEditor(TrieNodes nodes) {
        this.nodes = nodes;
    }

    /** Starts with a node without prefixes, all of whose slots have one value. */
    void clear(boolean isWide, int value) {
        wide = isWide;
        runs = 1;
        starts[0] = 0;
        starts[1] = slots();
        values[0] = value;
        cover = value;
        Arrays.fill(prefixWords, 0);
        prefixes = 0;
    }

    private int slots() {
        return wide ? 1 << TrieNodes.WIDE_BITS : 1 << TrieNodes.NARROW_BITS;
    }

    void load(boolean isWide, int node) {
        wide = isWide;
        int[] segment = nodes.segment(node);
        int offset = IntSlab.offset(node);
        int words = TrieNodes.runWords(wide);
        runs = 0;
        for (int w = 0; w < words; w++) {
            for (int bits = segment[offset + w] & 0xFFFF; bits != 0; bits &= bits - 1) {
                starts[runs++] = w << 4 | Integer.numberOfTrailingZeros(bits);
            }
        }
        starts[runs] = slots();
        prefixes = nodes.prefixes(node, wide);
        System.arraycopy(segment, offset + words + 1, prefixWords, 0, words);
        System.arraycopy(segment, offset + TrieNodes.values(wide), values, 0, runs);
        cover = segment[offset + TrieNodes.values(wide) + runs];
        System.arraycopy(segment, offset + TrieNodes.values(wide) + runs + 1, keys, 0, prefixes);
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

    /** Computes the new value of a run, or of a part of one, from the old one. */
    @FunctionalInterface
    interface Change {
        int of(int value);
    }

    /**
     * Changes the values of the slots from {@code from} to {@code to - 1}, and joins neighbouring runs with equal
     * values.
     */
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

    /**
     * Returns whether the node is redundant: no prefixes, no nodes below, and all slots have the value {@code
     * value(0)}.
     */
    boolean empty() {
        return prefixes == 0 && runs == 1 && values[0] >= 0;
    }

    /** Packs the node and returns it, not yet linked. */
    int store() {
        int words = TrieNodes.runWords(wide);
        int node = nodes.slab.claim(TrieNodes.length(wide, runs, prefixes));
        int[] segment = nodes.segment(node);
        int offset = IntSlab.offset(node);
        int run = 0;
        for (int w = 0; w < words; w++) {
            int word = run << 16;
            for (int end = w + 1 << 4; run < runs && starts[run] < end; run++) {
                word |= 1 << (starts[run] & 15);
            }
            segment[offset + w] = word;
        }
        segment[offset + words] = prefixes << 16 | runs;
        System.arraycopy(prefixWords, 0, segment, offset + words + 1, words);
        System.arraycopy(values, 0, segment, offset + TrieNodes.values(wide), runs);
        segment[offset + TrieNodes.values(wide) + runs] = cover;
        System.arraycopy(keys, 0, segment, offset + TrieNodes.values(wide) + runs + 1, prefixes);
        return node;
    }
}
