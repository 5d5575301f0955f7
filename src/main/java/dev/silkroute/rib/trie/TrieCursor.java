package dev.silkroute.rib.trie;

/**
 * Walks the prefixes of a trie that are covered by a given prefix, in order. The position is the prefix itself, not a
 * place in the trie, so the trie may change between two steps. Must be moved within a reader's section.
 */
public final class TrieCursor {
    private final Trie trie;
    // The prefix at which the cursor is
    public long high;
    public long low;
    public int length;

    private long coverHigh;
    private long coverLow;
    private int coverLength;
    /** True if the search may return the prefix that it starts from. */
    private boolean inclusive;

    private boolean positioned;

    public TrieCursor(Trie trie) {
        this.trie = trie;
    }

    /**
     * Moves to the first prefix covered by a prefix.
     *
     * @return whether there is one
     */
    public boolean begin(long ofHigh, long ofLow, int ofLength) {
        coverHigh = PrefixBits.maskHigh(ofHigh, ofLength);
        coverLow = PrefixBits.maskLow(ofLow, ofLength);
        coverLength = ofLength;
        high = coverHigh;
        low = coverLow;
        length = ofLength;
        inclusive = true;
        return seek();
    }

    public boolean next() {
        inclusive = false;
        return seek();
    }

    /** Returns whether the cursor is at a prefix. */
    public boolean positioned() {
        return positioned;
    }

    /**
     * Skips whole root slots as long as their prefixes have no more than {@code most} routes in all. Only before the
     * first step over a whole trie.
     *
     * @return the number of routes skipped
     */
    public long skip(long most) {
        if (!inclusive || coverLength > 0 || !positioned) {
            return 0;
        }
        long skipped = 0;
        int slot = 0;
        while (slot < trie.slots() && skipped + trie.routesOf(slot) <= most) {
            skipped += trie.routesOf(slot++);
        }
        if (slot == trie.slots()) {
            positioned = false;
        } else if (slot > 0) {
            high = trie.addressOf(slot);
            low = 0;
            length = 0;
            seek();
        }
        return skipped;
    }

    private boolean seek() {
        positioned = found();
        return positioned;
    }

    private boolean found() {
        return seek(0, 0, 0, 0, true) && PrefixBits.covers(coverHigh, coverLow, coverLength, high, low);
    }

    /**
     * Searches a node.
     *
     * @param onPath whether the node lies on the path to the prefix the search starts from; if not, all of the node is
     *     ahead
     */
    private boolean seek(int node, int base, long pathHigh, long pathLow, boolean onPath) {
        int stride = trie.stride(base);
        int first = onPath ? Trie.bits(high, low, base, stride) : 0;
        for (int slot = trie.nextStart(node, base, first); slot >= 0; slot = trie.nextStart(node, base, slot + 1)) {
            boolean here = onPath && slot == first;
            long slotHigh = base < 64 ? pathHigh | (long) slot << 64 - stride >>> base : pathHigh;
            long slotLow = base < 64 ? pathLow : pathLow | (long) slot << 64 - stride >>> base - 64;
            for (int r = Trie.shortest(base, stride, slot); r <= stride; r++) {
                if (trie.hasPrefix(node, base, 1 << r | slot >>> stride - r)
                        && isAhead(here, slotHigh, slotLow, base + r)) {
                    high = slotHigh;
                    low = slotLow;
                    length = base + r;
                    return true;
                }
            }
            int entry = trie.slot(node, base, slot);
            if (entry < 0 && seek(~entry, base + stride, slotHigh, slotLow, here)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAhead(boolean here, long slotHigh, long slotLow, int slotLength) {
        if (!here) {
            return true;
        }
        int order = PrefixBits.compare(slotHigh, slotLow, slotLength, high, low, length);
        return order > 0 || order == 0 && inclusive;
    }
}
