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
 * so start words 2 and 4 get a start bit, and prefix bit {@code 1 << 2 | 0b01} is set.
 */
final class NodeSplice {
    private final TrieNodes nodes;
    // The old node, set by open(): offset in its segment, indexes of its parts, and the numbers of their ints.
    private int offset;
    private boolean wide;
    private int values;
    private int runs;
    /** Index of the prefix words after the cover. */
    private int words;

    private int wordCount;
    /** Bitmap of these prefix words. */
    private int wordsPresent;

    private int keys;
    private int keyCount;

    NodeSplice(TrieNodes nodes) {
        this.nodes = nodes;
    }

    /** Sets the fields for a node and returns its segment. */
    private int[] open(int node, boolean isWide) {
        int[] segment = nodes.segment(node);
        offset = IntSlab.offset(node);
        int counts = segment[offset];
        wide = isWide;
        values = offset + TrieNodes.header(wide);
        runs = TrieNodes.runCount(counts, wide);
        words = values + runs + 1;
        wordsPresent = TrieNodes.prefixWords(counts, wide);
        wordCount = Integer.bitCount(wordsPresent);
        keys = words + wordCount;
        keyCount = TrieNodes.keyCount(counts, wide);
        return segment;
    }

    /** The number of the run that a slot is in. */
    private int run(int[] old, int slot) {
        int index = wide ? TrieNodes.wideIndex(old, offset, slot) : TrieNodes.narrowIndex(old, offset, slot);
        return index - values;
    }

    private boolean startsRun(int[] old, int slot) {
        return (old[startWord(offset, slot)] >>> (slot & 31) & 1) != 0;
    }

    private boolean endsRun(int[] old, int to) {
        return to == TrieNodes.slots(wide) || startsRun(old, to);
    }

    /** The index of the word with a slot's start bit. */
    private int startWord(int ofNode, int slot) {
        return wide ? ofNode + TrieNodes.STARTS + (slot >>> 5) : ofNode;
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
    int insert(int node, boolean isWide, int from, int to, int bit, int key) {
        int[] old = open(node, isWide);
        int run = run(old, from);
        int value = old[values + run];
        if (value < 0 || run(old, to - 1) != run) {
            return 0;
        }
        // Parts of the run that are left before and after the prefix.
        int before = startsRun(old, from) ? 0 : 1;
        int after = endsRun(old, to) ? 0 : 1;
        int added = before + after;
        int newWord = wide && (wordsPresent >>> (bit >>> 5) & 1) == 0 ? 1 : 0;
        int newKey = TrieNodes.hasKey(wide, bit) ? 1 : 0;
        int made = nodes.slab.claim(TrieNodes.length(wide, runs + added, wordCount + newWord, keyCount + newKey));
        int[] copy = nodes.segment(made);
        int copyOffset = IntSlab.offset(made);
        int copyValues = copyOffset + values - offset;
        System.arraycopy(old, offset, copy, copyOffset, values - offset + run + before);
        copy[copyValues + run + before] = key;
        if (after > 0) {
            copy[copyValues + run + before + 1] = value;
        }
        // The other values and the cover
        System.arraycopy(old, values + run + 1, copy, copyValues + run + 1 + added, runs - run);
        int present = wordsPresent | (newWord << (bit >>> 5));
        int copyKeys = copyWords(old, copy, copyOffset, copyValues + runs + added + 1, present, bit, true);
        int rank = newKey > 0 ? rank(old, bit) : keyCount;
        System.arraycopy(old, keys, copy, copyKeys, rank);
        if (newKey > 0) {
            copy[copyKeys + rank] = key;
            System.arraycopy(old, keys + rank, copy, copyKeys + rank + 1, keyCount - rank);
        }
        setStart(copy, copyOffset, from, true);
        setStart(copy, copyOffset, to, true);
        writeCounts(copy, copyOffset, present, keyCount + newKey, runs + added);
        return made;
    }

    /**
     * Makes the node with a prefix removed.
     *
     * @param cover the value that the prefix's slots get instead
     * @return the new node, not yet linked; 0 if the prefix is not a whole run, or the node would have a single run and
     *     no prefixes
     */
    int remove(int node, boolean isWide, int from, int to, int bit, int cover) {
        int[] old = open(node, isWide);
        int run = run(old, from);
        if (old[values + run] < 0 || !startsRun(old, from) || run(old, to - 1) != run || !endsRun(old, to)) {
            return 0;
        }
        // Neighbouring runs with the same value, which the prefix's slots join.
        int before = run > 0 && old[values + run - 1] == cover ? 1 : 0;
        int after = run + 1 < runs && old[values + run + 1] == cover ? 1 : 0;
        int removed = before + after;
        if (runs - removed == 1 && isOnlyPrefix(old, bit)) {
            return 0;
        }
        int oldWord = wide && prefixWord(old, bit) == 1 << (bit & 31) ? 1 : 0;
        int oldKey = TrieNodes.hasKey(wide, bit) ? 1 : 0;
        int made = nodes.slab.claim(TrieNodes.length(wide, runs - removed, wordCount - oldWord, keyCount - oldKey));
        int[] copy = nodes.segment(made);
        int copyOffset = IntSlab.offset(made);
        int copyValues = copyOffset + values - offset;
        System.arraycopy(old, offset, copy, copyOffset, values - offset + run);
        copy[copyValues + run - before] = cover;
        System.arraycopy(old, values + run + 1 + after, copy, copyValues + run - before + 1, runs - run - after);
        int present = wordsPresent & ~(oldWord << (bit >>> 5));
        int copyKeys = copyWords(old, copy, copyOffset, copyValues + runs - removed + 1, present, bit, false);
        int rank = oldKey > 0 ? rank(old, bit) : keyCount;
        System.arraycopy(old, keys, copy, copyKeys, rank);
        if (oldKey > 0) {
            System.arraycopy(old, keys + rank + 1, copy, copyKeys + rank, keyCount - rank - 1);
        }
        setStart(copy, copyOffset, from, before == 0);
        setStart(copy, copyOffset, to, after == 0);
        writeCounts(copy, copyOffset, present, keyCount - oldKey, runs - removed);
        return made;
    }

    /** Returns the prefix word with a bit; a wide node must have it. */
    private int prefixWord(int[] old, int bit) {
        return old[wide ? words + wordsBefore(bit) : offset + 1];
    }

    /** The number of prefix words that a wide node has before the one with a bit. */
    private int wordsBefore(int bit) {
        return Integer.bitCount(wordsPresent & (1 << (bit >>> 5)) - 1);
    }

    private boolean isOnlyPrefix(int[] old, int bit) {
        return wordCount <= 1 && prefixWord(old, bit) == 1 << (bit & 31);
    }

    /**
     * Copies the prefix words with one bit set or cleared.
     *
     * @param copyWords the index of the copied words
     * @param present bitmap of the words that the copy has
     * @return the index after the copied words
     */
    private int copyWords(int[] old, int[] copy, int copyOffset, int copyWords, int present, int bit, boolean set) {
        int mask = 1 << (bit & 31);
        if (!wide) {
            copy[copyOffset + 1] = set ? copy[copyOffset + 1] | mask : copy[copyOffset + 1] & ~mask;
            return copyWords;
        }
        int before = wordsBefore(bit);
        int replaced = wordsPresent >>> (bit >>> 5) & 1;
        int written = present >>> (bit >>> 5) & 1;
        System.arraycopy(old, words, copy, copyWords, before);
        if (written > 0) {
            int word = replaced > 0 ? old[words + before] : 0;
            copy[copyWords + before] = set ? word | mask : word & ~mask;
        }
        System.arraycopy(
                old, words + before + replaced, copy, copyWords + before + written, wordCount - before - replaced);
        return copyWords + wordCount - replaced + written;
    }

    /** Sets or clears the start bit of a slot; the slot after the last one has none. */
    private void setStart(int[] copy, int copyOffset, int slot, boolean starts) {
        if (slot < TrieNodes.slots(wide)) {
            int word = startWord(copyOffset, slot);
            int mask = 1 << (slot & 31);
            copy[word] = starts ? copy[word] | mask : copy[word] & ~mask;
        }
    }

    private void writeCounts(int[] copy, int copyOffset, int present, int newKeys, int newRuns) {
        if (wide) {
            copy[copyOffset] = TrieNodes.wideCounts(present, newKeys, newRuns);
            TrieNodes.countStarts(copy, copyOffset);
        } else {
            copy[copyOffset] = TrieNodes.narrowStarts(copy[copyOffset] & 0xFFFF, newKeys, newRuns);
        }
    }

    /** Counts the keys of prefixes with a lower prefix bit. */
    private int rank(int[] old, int bit) {
        int mask = (1 << (bit & 31)) - 1;
        if (!wide) {
            return Integer.bitCount(old[offset + 1] & mask);
        }
        int before = wordsBefore(bit);
        int rank = (wordsPresent >>> (bit >>> 5) & 1) == 0 ? 0 : Integer.bitCount(old[words + before] & mask);
        for (int w = 0; w < before; w++) {
            rank += Integer.bitCount(old[words + w]);
        }
        return rank;
    }
}
