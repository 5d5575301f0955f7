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
    private final int[] prefixWords = new int[TrieNodes.PREFIX_WORDS];
    /** The number of prefixes, with and without a key. */
    private int prefixes;

    private final int[] keys = new int[256];
    private int keyCount;

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
        keyCount = 0;
    }

    private int slots() {
        return TrieNodes.slots(wide);
    }

    void load(boolean isWide, int node) {
        wide = isWide;
        int[] segment = nodes.segment(node);
        int offset = IntSlab.offset(node);
        int counts = segment[offset];
        runs = 0;
        for (int slot = nodes.nextStart(node, wide, 0); slot >= 0; slot = nodes.nextStart(node, wide, slot + 1)) {
            starts[runs++] = slot;
        }
        starts[runs] = slots();
        int at = offset + TrieNodes.header(wide);
        System.arraycopy(segment, at, values, 0, runs);
        at += runs;
        cover = segment[at++];
        Arrays.fill(prefixWords, 0);
        if (wide) {
            for (int words = TrieNodes.prefixWords(counts, true); words != 0; words &= words - 1) {
                prefixWords[Integer.numberOfTrailingZeros(words)] = segment[at++];
            }
        } else {
            prefixWords[0] = segment[offset + 1];
        }
        prefixes = 0;
        for (int word : prefixWords) {
            prefixes += Integer.bitCount(word);
        }
        keyCount = TrieNodes.keyCount(counts, wide);
        System.arraycopy(segment, at, keys, 0, keyCount);
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
        if (TrieNodes.hasKey(wide, bit)) {
            int rank = rank(bit);
            System.arraycopy(keys, rank, keys, rank + 1, keyCount - rank);
            keys[rank] = key;
            keyCount++;
        }
        prefixes++;
        prefixWords[bit >>> 5] |= 1 << (bit & 31);
    }

    void removePrefix(int bit) {
        if (TrieNodes.hasKey(wide, bit)) {
            int rank = rank(bit);
            keyCount--;
            System.arraycopy(keys, rank + 1, keys, rank, keyCount - rank);
        }
        prefixes--;
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
        int words = 0;
        for (int w = 0; wide && w < prefixWords.length; w++) {
            words |= prefixWords[w] == 0 ? 0 : 1 << w;
        }
        int node = nodes.slab.claim(TrieNodes.length(wide, runs, Integer.bitCount(words), keyCount));
        int[] segment = nodes.segment(node);
        int offset = IntSlab.offset(node);
        int at = offset + TrieNodes.header(wide);
        if (wide) {
            segment[offset] = TrieNodes.wideCounts(words, keyCount, runs);
            Arrays.fill(segment, offset + TrieNodes.STARTS, at, 0);
            for (int run = 0; run < runs; run++) {
                segment[offset + TrieNodes.STARTS + (starts[run] >>> 5)] |= 1 << (starts[run] & 31);
            }
            TrieNodes.countStarts(segment, offset);
        } else {
            int bits = 0;
            for (int run = 0; run < runs; run++) {
                bits |= 1 << starts[run];
            }
            segment[offset] = TrieNodes.narrowStarts(bits, keyCount, runs);
            segment[offset + 1] = prefixWords[0];
        }
        System.arraycopy(values, 0, segment, at, runs);
        at += runs;
        segment[at++] = cover;
        for (; words != 0; words &= words - 1) {
            segment[at++] = prefixWords[Integer.numberOfTrailingZeros(words)];
        }
        System.arraycopy(keys, 0, segment, at, keyCount);
        return node;
    }
}
