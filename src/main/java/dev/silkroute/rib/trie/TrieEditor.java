package dev.silkroute.rib.trie;

/**
 * Inserts prefixes into tries and removes them. Used by the writer only.
 *
 * <p>The node that a prefix ends in is copied with the change and published with one store in its parent; in the nodes
 * below, the values of affected runs are changed in place, one store each. A reader therefore sees the old or the new
 * match in each slot. Replaced nodes go to the reclaim queue, because readers may still be in them.
 *
 * <p>A slot value is called an entry here: a key (&gt; 0), nothing (0), or the complement of a node (&lt; 0).
 */
public final class TrieEditor {
    /** Receives nodes that are no longer linked but may still be read. */
    @FunctionalInterface
    interface Retired {
        void node(int node, int ints);
    }

    private final TrieNodes nodes;
    private final Retired retired;
    private final NodeEditor editor;
    private final NodeSplice splice;
    private final NodeEditor.Change inserting = this::valueWithPrefix;
    private final NodeEditor.Change removing = this::valueWithoutPrefix;
    private final NodeEditor.Change linking = this::linkedValue;

    // The change in progress. Fields rather than parameters, so that the Change functions are allocated once and not
    // for each change.
    private Trie trie;
    private PrefixKeys keys;
    private int key;
    private long high;
    private long low;
    private int length;
    /** Removal: the value that replaces the prefix's key. */
    private int cover;
    /** The value that {@link #linkedValue} writes. */
    private int link;
    /** The bit at which the nodes below the values being changed begin. */
    private int below;

    @SuppressWarnings("NullAway.Init") // no change is in progress yet
    TrieEditor(TrieNodes nodes, Retired retired) {
        this.nodes = nodes;
        this.retired = retired;
        editor = new NodeEditor(nodes);
        splice = new NodeSplice(nodes);
    }

    private void begin(Trie in, int ofKey, long ofHigh, long ofLow, int ofLength) {
        // A reference store triggers a G1 write barrier, so it is avoided where nothing changes; see EventPrefetcher.
        if (trie != in) {
            trie = in;
            keys = in.keys;
        }
        key = ofKey;
        high = ofHigh;
        low = ofLow;
        length = ofLength;
    }

    /** Inserts a prefix that is not in the trie. */
    public void insert(Trie in, int newKey, long newHigh, long newLow, int newLength) {
        begin(in, newKey, newHigh, newLow, newLength);
        trie.resize(1);
        keys.resize(1);
        int slot = Trie.bits(high, low, 0, trie.rootBits);
        if (length <= trie.rootBits) {
            trie.rootPrefix(1 << length | slot >>> trie.rootBits - length, key);
            trie.rootStart(slot, true);
            if (length == 0) {
                trie.defaultKey(key);
            } else {
                changeRoot(slot, inserting);
            }
            return;
        }
        int entry = trie.rootSlot(slot);
        int replaced = insertInto(entry, trie.rootBits);
        if (replaced != entry) {
            trie.rootSlot(slot, replaced);
            trie.rootStart(slot, true);
        }
    }

    private void changeRoot(int from, NodeEditor.Change change) {
        below = trie.rootBits;
        int to = from + (1 << trie.rootBits - length);
        for (int slot = from; slot < to; slot++) {
            int before = trie.rootSlot(slot);
            int after = change.of(before);
            if (after != before) {
                trie.rootSlot(slot, after);
            }
        }
    }

    /**
     * Inserts the prefix into the subtree of an entry.
     *
     * @return the entry that replaces it
     */
    private int insertInto(int entry, int base) {
        boolean wide = trie.wide(base);
        int stride = trie.stride(base);
        int slot = Trie.bits(high, low, base, stride);
        if (length <= base + stride) {
            int r = length - base;
            int to = slot + (1 << stride - r);
            int bit = 1 << r | slot >>> stride - r;
            int spliced = entry < 0 ? splice.insert(~entry, wide, slot, to, bit, key) : 0;
            if (spliced != 0) {
                retire(wide, entry);
                return ~spliced;
            }
            load(wide, entry);
            below = base + stride;
            editor.change(slot, to, inserting);
            editor.addPrefix(bit, key);
            return replace(wide, entry);
        }
        int child = entry < 0 ? nodes.value(~entry, wide, slot) : entry;
        int made = insertInto(child, base + stride);
        if (made == child) {
            return entry;
        }
        return setSlot(entry, wide, slot, child, made);
    }

    private void load(boolean wide, int entry) {
        if (entry < 0) {
            editor.load(wide, ~entry);
        } else {
            editor.clear(wide, entry);
        }
    }

    private int replace(boolean wide, int entry) {
        int made = ~editor.store();
        retire(wide, entry);
        return made;
    }

    private void retire(boolean wide, int entry) {
        if (entry < 0) {
            retired.node(~entry, nodes.length(~entry, wide));
        }
    }

    /** Replaces the value of one slot: in place if one node replaces another, else by copying the node. */
    private int setSlot(int entry, boolean wide, int slot, int before, int after) {
        if (before < 0 && after < 0) {
            nodes.setSlotValue(~entry, wide, slot, after);
            return entry;
        }
        load(wide, entry);
        link = after;
        editor.change(slot, slot + 1, linking);
        if (editor.empty()) {
            retire(wide, entry);
            return editor.value(0);
        }
        return replace(wide, entry);
    }

    @SuppressWarnings("UnusedVariable") // a Change that ignores the old value
    private int linkedValue(int value) {
        return link;
    }

    private int valueWithPrefix(int value) {
        if (value < 0) {
            changeAll(~value, below, inserting);
            return value;
        }
        return value == 0 || keys.length(value) < length ? key : value;
    }

    private int valueWithoutPrefix(int value) {
        if (value < 0) {
            changeAll(~value, below, removing);
            return value;
        }
        return value == key ? cover : value;
    }

    /** Changes all values of a node and of the nodes below it, including their covers. */
    private void changeAll(int node, int base, NodeEditor.Change change) {
        boolean wide = trie.wide(base);
        int runs = nodes.runs(node, wide);
        below = base + trie.stride(base);
        for (int run = 0; run <= runs; run++) {
            int before = nodes.runValue(node, wide, run);
            int after = change.of(before);
            if (after != before) {
                nodes.setRunValue(node, wide, run, after);
            }
        }
        below = base;
    }

    /** Removes a prefix that is in the trie. */
    public void remove(Trie from, int oldKey, long oldHigh, long oldLow, int oldLength) {
        begin(from, oldKey, oldHigh, oldLow, oldLength);
        trie.resize(-1);
        keys.resize(-1);
        int slot = Trie.bits(high, low, 0, trie.rootBits);
        if (length <= trie.rootBits) {
            trie.rootPrefix(1 << length | slot >>> trie.rootBits - length, 0);
            if (length == 0) {
                trie.defaultKey(0);
            } else {
                cover = trie.coveringInRoot(high, length);
                changeRoot(slot, removing);
            }
            trie.rootStart(slot, isStartInRoot(slot));
            return;
        }
        int entry = trie.rootSlot(slot);
        int replaced = removeFrom(entry, trie.rootBits);
        if (replaced != entry) {
            trie.rootSlot(slot, replaced);
            trie.rootStart(slot, isStartInRoot(slot));
        }
    }

    private boolean isStartInRoot(int slot) {
        boolean starts = trie.rootSlot(slot) < 0;
        for (int r = Trie.shortest(0, trie.rootBits, slot); !starts && r <= trie.rootBits; r++) {
            starts = trie.hasPrefix(0, 0, 1 << r | slot >>> trie.rootBits - r);
        }
        return starts;
    }

    /**
     * Removes the prefix from the subtree of an entry.
     *
     * @return the entry that replaces it
     */
    private int removeFrom(int entry, int base) {
        if (entry >= 0) {
            throw new IllegalStateException("no node on the path to a prefix of " + length + " bits");
        }
        boolean wide = trie.wide(base);
        int stride = trie.stride(base);
        int slot = Trie.bits(high, low, base, stride);
        if (length <= base + stride) {
            int r = length - base;
            int to = slot + (1 << stride - r);
            int bit = 1 << r | slot >>> stride - r;
            cover = nodes.covering(~entry, wide, bit);
            int spliced = splice.remove(~entry, wide, slot, to, bit, cover);
            if (spliced != 0) {
                retire(wide, entry);
                return ~spliced;
            }
            editor.load(wide, ~entry);
            below = base + stride;
            editor.change(slot, to, removing);
            editor.removePrefix(bit);
            if (editor.empty()) {
                retire(wide, entry);
                return editor.value(0);
            }
            return replace(wide, entry);
        }
        int child = nodes.value(~entry, wide, slot);
        int replaced = removeFrom(child, base + stride);
        return replaced == child ? entry : setSlot(entry, wide, slot, child, replaced);
    }
}
