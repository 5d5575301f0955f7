package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.IntSlab;

/**
 * Replaces a node for the two usual changes, by copying straight from the old node to the new one: a prefix that lies
 * within one run is inserted, or a prefix that is a whole run is removed. {@link NodeEditor} does everything else. Used
 * by the writer only; layout: {@link TrieNodes}.
 *
 * <p>Inserting 10.1.64.0/18 into a wide node at bit 16 whose only run has the value of 10.1.0.0/16 (key 7), with key 9,
 * makes one run three:
 *
 * <pre>
 * slot        0 ........ 63 | 64 ...... 127 | 128 ....... 255
 * old runs    [ 7                                            ]
 * new runs    [ 7           | 9             | 7               ]
 * </pre>
 *
 * so the run words 0, 4 and 8 get a start bit, all words after the first count one or two more runs before them, and
 * prefix bit {@code 1 << 2 | 0b01} is set.
 */
final class NodeSplice {
    private final TrieNodes nodes;
    // The old node, set by open(): offset in its segment, number of run words, index of its first value, and counts.
    private int offset;
    private int words;
    private int values;
    private int runs;
    private int prefixes;

    NodeSplice(TrieNodes nodes) {
        this.nodes = nodes;
    }

    /** Sets the fields for a node and returns its segment. */
    private int[] open(int node, boolean wide) {
        offset = IntSlab.offset(node);
        words = TrieNodes.runWords(wide);
        values = offset + TrieNodes.values(wide);
        runs = nodes.runs(node, wide);
        prefixes = nodes.prefixes(node, wide);
        return nodes.segment(node);
    }

    private int slots() {
        return words << 4;
    }

    /** The number of the run that a slot is in. */
    private int run(int[] old, int slot) {
        int word = old[offset + (slot >>> 4)];
        return (word >>> 16) + Integer.bitCount(word & 0xFFFF >>> 15 - (slot & 15)) - 1;
    }

    private boolean startsRun(int[] old, int slot) {
        return (old[offset + (slot >>> 4)] >>> (slot & 15) & 1) != 0;
    }

    private boolean endsRun(int[] old, int to) {
        return to == slots() || startsRun(old, to);
    }

    /**
     * Makes the node with a prefix inserted.
     *
     * @param from first slot of the prefix
     * @param to slot after its last
     * @param bit prefix bit
     * @return the new node, not yet linked; 0 if the prefix spans several runs (more specific prefixes or nodes are
     *     below it)
     */
    int insert(int node, boolean wide, int from, int to, int bit, int key) {
        int[] old = open(node, wide);
        int run = run(old, from);
        int value = old[values + run];
        if (value < 0 || run(old, to - 1) != run) {
            return 0;
        }
        // Parts of the run that are left before and after the prefix.
        int before = startsRun(old, from) ? 0 : 1;
        int after = endsRun(old, to) ? 0 : 1;
        int added = before + after;
        int made = nodes.slab.claim(TrieNodes.length(wide, runs + added, prefixes + 1));
        int[] copy = nodes.segment(made);
        int copyOffset = IntSlab.offset(made);
        int copyValues = copyOffset + values - offset;
        int rank = rank(old, bit);
        System.arraycopy(old, offset, copy, copyOffset, values - offset + run + before);
        copy[copyValues + run + before] = key;
        if (after > 0) {
            copy[copyValues + run + before + 1] = value;
        }
        // The other values, the cover, and the keys of the prefixes before the new one.
        System.arraycopy(old, values + run + 1, copy, copyValues + run + 1 + added, runs - run + rank);
        int copyKeys = copyValues + runs + added + 1;
        copy[copyKeys + rank] = key;
        System.arraycopy(old, values + runs + 1 + rank, copy, copyKeys + rank + 1, prefixes - rank);
        writeRunWords(old, copy, copyOffset, from, true, to, to < slots());
        copy[copyOffset + words] = prefixes + 1 << 16 | runs + added;
        copy[copyOffset + words + 1 + (bit >>> 5)] |= 1 << (bit & 31);
        return made;
    }

    /**
     * Makes the node with a prefix removed.
     *
     * @param cover the value that the prefix's slots get instead
     * @return the new node, not yet linked; 0 if the prefix is not a whole run, or the node would have a single run and
     *     no prefixes
     */
    int remove(int node, boolean wide, int from, int to, int bit, int cover) {
        int[] old = open(node, wide);
        int run = run(old, from);
        if (old[values + run] < 0 || !startsRun(old, from) || run(old, to - 1) != run || !endsRun(old, to)) {
            return 0;
        }
        // Neighbouring runs with the same value, which the prefix's slots join.
        int before = run > 0 && old[values + run - 1] == cover ? 1 : 0;
        int after = run + 1 < runs && old[values + run + 1] == cover ? 1 : 0;
        int removed = before + after;
        if (prefixes == 1 && runs - removed == 1) {
            return 0;
        }
        int made = nodes.slab.claim(TrieNodes.length(wide, runs - removed, prefixes - 1));
        int[] copy = nodes.segment(made);
        int copyOffset = IntSlab.offset(made);
        int copyValues = copyOffset + values - offset;
        int rank = rank(old, bit);
        System.arraycopy(old, offset, copy, copyOffset, values - offset + run);
        copy[copyValues + run - before] = cover;
        System.arraycopy(old, values + run + 1 + after, copy, copyValues + run - before + 1, runs - run - after + rank);
        int copyKeys = copyValues + runs - removed + 1;
        System.arraycopy(old, values + runs + 1 + rank + 1, copy, copyKeys + rank, prefixes - rank - 1);
        writeRunWords(old, copy, copyOffset, from, before == 0, to, to < slots() && after == 0);
        copy[copyOffset + words] = prefixes - 1 << 16 | runs - removed;
        copy[copyOffset + words + 1 + (bit >>> 5)] &= ~(1 << (bit & 31));
        return made;
    }

    /**
     * Writes the run words, setting or clearing the start bits of two slots. Words before the first slot are already
     * copied; those after the second keep their start bits and count as many more or fewer runs before them.
     */
    private void writeRunWords(
            int[] old, int[] copy, int copyOffset, int from, boolean fromStarts, int to, boolean toStarts) {
        int first = from >>> 4;
        int last = Math.min(to >>> 4, words - 1);
        int runsBefore = old[offset + first] >>> 16;
        for (int w = first; w <= last; w++) {
            int starts = old[offset + w] & 0xFFFF;
            if (w == first) {
                int bit = 1 << (from & 15);
                starts = fromStarts ? starts | bit : starts & ~bit;
            }
            if (w == to >>> 4) {
                int bit = 1 << (to & 15);
                starts = toStarts ? starts | bit : starts & ~bit;
            }
            copy[copyOffset + w] = runsBefore << 16 | starts;
            runsBefore += Integer.bitCount(starts);
        }
        if (last + 1 < words) {
            int more = runsBefore - (old[offset + last + 1] >>> 16) << 16;
            for (int w = last + 1; w < words; w++) {
                copy[copyOffset + w] = old[offset + w] + more;
            }
        }
    }

    /** Counts the prefixes with a lower prefix bit. */
    private int rank(int[] old, int bit) {
        int first = offset + words + 1;
        int word = bit >>> 5;
        int bits = old[first + word];
        int mask = 1 << (bit & 31);
        // Most prefixes end at the last bit of a node, in the upper half: count from the nearer end.
        if (word < words >>> 1) {
            int rank = Integer.bitCount(bits & mask - 1);
            for (int w = 0; w < word; w++) {
                rank += Integer.bitCount(old[first + w]);
            }
            return rank;
        }
        int notBefore = Integer.bitCount(bits & -mask);
        for (int w = word + 1; w < words; w++) {
            notBefore += Integer.bitCount(old[first + w]);
        }
        return prefixes - notBefore;
    }
}
