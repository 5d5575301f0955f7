package dev.silkroute.perf.rib;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prefixes by address: a node of a trie, which decides six bits. It has the prefixes that end in it and what is below
 * it, each as a bitmap and an array of only what exists, as bart's tables have; a prefix that is alone below a slot is
 * in that slot itself, so no node leads to it alone. Addresses are 128 bits, left-aligned. Not thread-safe.
 *
 * <p>A prefix of n bits within the node has the prefix bit {@code 1 << n | its bits}. The parameter {@code at} is the
 * first of the node's bits in an address.
 */
final class PlainTrie implements PlainRib.Below {
    private static final int STRIDE = 6;

    private static final int SLOTS = 1 << STRIDE;
    private static final Entry[] NO_ENTRIES = {};
    private static final PlainRib.Below[] NO_CHILDREN = {};
    /** By slot, the prefixes of fewer than six bits that cover it, by prefix bit. */
    private static final long[] COVERING = new long[SLOTS];

    static {
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int bit = (SLOTS | slot) >> 1; bit > 0; bit >>= 1) {
                COVERING[slot] |= 1L << bit;
            }
        }
    }

    /** A prefix and its routes, of which there is always one. */
    static final class Entry implements PlainRib.Below {
        final long high;
        final long low;
        final int length;
        PlainRib.Route[] routes;

        private Entry(PlainRib.Prefix prefix, PlainRib.Route[] routes) {
            high = prefix.high();
            low = prefix.low();
            length = prefix.length();
            this.routes = routes;
        }

        private boolean is(PlainRib.Prefix prefix) {
            return length == prefix.length() && high == prefix.high() && low == prefix.low();
        }

        private boolean covers(long ofHigh, long ofLow) {
            return ((high ^ ofHigh) & Oracle.mask(length)) == 0 && ((low ^ ofLow) & Oracle.mask(length - 64)) == 0;
        }
    }

    /** Prefixes of fewer than six bits within the node, by prefix bit. */
    private long shorter;
    /** Prefixes of six bits within the node, by slot. */
    private long longest;
    /** Slots with something below. */
    private long below;

    private Entry[] entries = NO_ENTRIES;
    private PlainRib.Below[] children = NO_CHILDREN;

    /** The six bits from a bit on; 0 for those beyond the address. */
    private static int slot(long high, long low, int at) {
        long word = at >= 64 ? low << at - 64 : at > 64 - STRIDE ? high << at | low >>> 64 - at : high << at;
        return (int) (word >>> 64 - STRIDE);
    }

    private static int slot(PlainRib.Prefix prefix, int at) {
        return slot(prefix.high(), prefix.low(), at);
    }

    private static int bit(PlainRib.Prefix prefix, int at) {
        int length = prefix.length() - at;
        return 1 << length | slot(prefix, at) >> STRIDE - length;
    }

    private static boolean endsIn(PlainRib.Prefix prefix, int at) {
        return prefix.length() <= at + STRIDE;
    }

    @Nullable
    Entry match(long high, long low, int at) {
        PlainTrie node = this;
        PlainTrie matching = this;
        int matched = 0;
        for (int bits = at; ; bits += STRIDE) {
            int slot = slot(high, low, bits);
            int bit = node.match(slot);
            if (bit != 0) {
                matching = node;
                matched = bit;
            }
            PlainRib.Below child = node.child(slot);
            if (child instanceof PlainTrie next) {
                node = next;
            } else if (child instanceof Entry entry && entry.covers(high, low)) {
                return entry;
            } else {
                return matched == 0 ? null : matching.entries[matching.rank(matched)];
            }
        }
    }

    /** The prefix bit of the longest prefix in the node that covers a slot, 0 if there is none. */
    private int match(int slot) {
        if ((longest >>> slot & 1) != 0) {
            return SLOTS | slot;
        }
        long covering = shorter & COVERING[slot];
        return covering == 0 ? 0 : 63 - Long.numberOfLeadingZeros(covering);
    }

    @Nullable
    Entry find(PlainRib.Prefix prefix, int at) {
        if (endsIn(prefix, at)) {
            int bit = bit(prefix, at);
            return has(bit) ? entries[rank(bit)] : null;
        }
        return switch (child(slot(prefix, at))) {
            case null -> null;
            case PlainTrie next -> next.find(prefix, at + STRIDE);
            case Entry entry -> entry.is(prefix) ? entry : null;
        };
    }

    /** Adds a prefix that {@link #find} does not find. */
    void add(PlainRib.Prefix prefix, PlainRib.Route route, int at) {
        add(prefix, new Entry(prefix, new PlainRib.Route[] {route}), at);
    }

    private void add(PlainRib.Prefix prefix, Entry entry, int at) {
        if (endsIn(prefix, at)) {
            int bit = bit(prefix, at);
            entries = with(entries, rank(bit), entry);
            flip(bit);
            return;
        }
        int slot = slot(prefix, at);
        switch (child(slot)) {
            case null -> {
                children = with(children, place(slot), entry);
                below |= 1L << slot;
            }
            case PlainTrie next -> next.add(prefix, entry, at + STRIDE);
            case Entry other -> {
                PlainTrie next = new PlainTrie();
                next.add(new PlainRib.Prefix(other.high, other.low, other.length), other, at + STRIDE);
                next.add(prefix, entry, at + STRIDE);
                children[place(slot)] = next;
            }
        }
    }

    /** Removes a prefix that the trie has. */
    void remove(PlainRib.Prefix prefix, int at) {
        if (endsIn(prefix, at)) {
            int bit = bit(prefix, at);
            entries = without(entries, rank(bit));
            flip(bit);
            return;
        }
        int slot = slot(prefix, at);
        PlainRib.Below left = null;
        if (child(slot) instanceof PlainTrie next) {
            next.remove(prefix, at + STRIDE);
            left = next.only();
        }
        if (left != null) {
            children[place(slot)] = left;
        } else {
            children = without(children, place(slot));
            below &= ~(1L << slot);
        }
    }

    /** The content of a slot without a node: its only prefix, or null if there is none. */
    private PlainRib.@Nullable Below only() {
        return switch (entries.length + children.length) {
            case 0 -> null;
            case 1 -> entries.length == 1 ? entries[0] : children[0] instanceof Entry entry ? entry : this;
            default -> this;
        };
    }

    boolean empty() {
        return entries.length + children.length == 0;
    }

    void forEach(Consumer<Entry> each) {
        for (Entry entry : entries) {
            each.accept(entry);
        }
        for (PlainRib.Below child : children) {
            switch (child) {
                case PlainTrie next -> next.forEach(each);
                case Entry entry -> each.accept(entry);
            }
        }
    }

    private boolean has(int bit) {
        return ((bit < SLOTS ? shorter >>> bit : longest >>> bit) & 1) != 0;
    }

    private void flip(int bit) {
        if (bit < SLOTS) {
            shorter ^= 1L << bit;
        } else {
            longest ^= 1L << bit;
        }
    }

    private int rank(int bit) {
        return bit < SLOTS
                ? Long.bitCount(shorter & (1L << bit) - 1)
                : Long.bitCount(shorter) + Long.bitCount(longest & (1L << bit) - 1);
    }

    private PlainRib.@Nullable Below child(int slot) {
        return (below >>> slot & 1) == 0 ? null : children[place(slot)];
    }

    private int place(int slot) {
        return Long.bitCount(below & (1L << slot) - 1);
    }

    private static <T> T[] with(T[] all, int at, T added) {
        T[] more = Arrays.copyOf(all, all.length + 1);
        System.arraycopy(all, at, more, at + 1, all.length - at);
        more[at] = added;
        return more;
    }

    private static <T> T[] without(T[] all, int at) {
        T[] fewer = Arrays.copyOf(all, all.length - 1);
        System.arraycopy(all, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }
}
