package dev.silkroute.rib.trie;

/**
 * Puts prefixes into tries and takes them out. The node that a prefix ends in is made anew and published with one store; what
 * lies below is told the match slot by slot, each in one store. So a reader sees the match before or after in each slot.
 */
public final class TrieEditor {
    /** Where nodes go that readers may still be in. */
    @FunctionalInterface
    interface Retired {
        void node(int node, int ints);
    }

    private final TrieNodes nodes;
    private final Retired retired;
    private final NodeEditor editor;
    private final NodeSplice splice;
    private final NodeEditor.Change pushing = this::pushed;
    private final NodeEditor.Change pulling = this::pulled;
    private final NodeEditor.Change linking = this::linked;

    // What is being done.
    private Trie trie;
    private PrefixKeys keys;
    private int key;
    private long high;
    private long low;
    private int length;
    /** What slots say instead of the prefix that goes. */
    private int cover;
    /** What a slot is to say. */
    private int link;
    /** Where the nodes below begin. */
    private int below;

    @SuppressWarnings("NullAway.Init") // nothing is being done yet
    TrieEditor(TrieNodes nodes, Retired retired) {
        this.nodes = nodes;
        this.retired = retired;
        editor = new NodeEditor(nodes);
        splice = new NodeSplice(nodes);
    }

    private void begin(Trie in, int ofKey, long ofHigh, long ofLow, int ofLength) {
        if (trie != in) { // stores of references are dear, see Ahead
            trie = in;
            keys = in.keys;
        }
        key = ofKey;
        high = ofHigh;
        low = ofLow;
        length = ofLength;
    }

    /** Makes a prefix be found. */
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
                changeRoot(slot, pushing);
            }
            return;
        }
        int entry = trie.rootSlot(slot);
        int with = with(entry, trie.rootBits);
        if (with != entry) {
            trie.rootSlot(slot, with);
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

    /** @return what stands for the node at a depth when the prefix is in it */
    private int with(int entry, int base) {
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
            editor.change(slot, to, pushing);
            editor.addPrefix(bit, key);
            return replace(wide, entry);
        }
        int child = entry < 0 ? nodes.value(~entry, wide, slot) : entry;
        int made = with(child, base + stride);
        if (made == child) {
            return entry;
        }
        return setSlot(entry, wide, slot, child, made);
    }

    private void load(boolean wide, int entry) {
        if (entry < 0) {
            editor.load(wide, ~entry);
        } else {
            editor.fresh(wide, entry);
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

    /** Makes a slot say something else; in place if it is a run by itself. */
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

    @SuppressWarnings("UnusedVariable") // what the slot said before counts for nothing
    private int linked(int value) {
        return link;
    }

    private int pushed(int value) {
        if (value < 0) {
            every(~value, below, pushing);
            return value;
        }
        return value == 0 || keys.length(value) < length ? key : value;
    }

    private int pulled(int value) {
        if (value < 0) {
            every(~value, below, pulling);
            return value;
        }
        return value == key ? cover : value;
    }

    /** Changes all of a node, its cover along with its runs. */
    private void every(int node, int base, NodeEditor.Change change) {
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

    /** Takes a prefix out. */
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
                changeRoot(slot, pulling);
            }
            trie.rootStart(slot, beginsInRoot(slot));
            return;
        }
        int entry = trie.rootSlot(slot);
        int without = without(entry, trie.rootBits);
        if (without != entry) {
            trie.rootSlot(slot, without);
            trie.rootStart(slot, beginsInRoot(slot));
        }
    }

    private boolean beginsInRoot(int slot) {
        boolean begins = trie.rootSlot(slot) < 0;
        for (int r = Trie.shortest(0, trie.rootBits, slot); !begins && r <= trie.rootBits; r++) {
            begins = trie.hasPrefix(0, 0, 1 << r | slot >>> trie.rootBits - r);
        }
        return begins;
    }

    /** @return what stands for the node at a depth when the prefix is no more in it */
    private int without(int entry, int base) {
        if (entry >= 0) {
            throw new IllegalStateException("no way to a prefix of " + length + " bits");
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
            editor.change(slot, to, pulling);
            editor.removePrefix(bit);
            if (editor.empty()) {
                retire(wide, entry);
                return editor.value(0);
            }
            return replace(wide, entry);
        }
        int child = nodes.value(~entry, wide, slot);
        int left = without(child, base + stride);
        return left == child ? entry : setSlot(entry, wide, slot, child, left);
    }
}
