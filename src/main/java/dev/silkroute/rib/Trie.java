package dev.silkroute.rib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The prefixes of one family and RD for longest match: a multibit trie (large tables: 16 bits at the root, then 8 as far as bit 24 of IPv4 and 32 of IPv6, then
 * 4; others: 8 bits at the root, then 4) in
 * which every slot says its longest match, however short that is. A new prefix is written slot by slot, each in one store, so
 * a reader sees the match before or after in each, and a lookup is as many loads as there are levels. Layout: {@link TrieNodes}.
 *
 * <p>A slot's match costs a short prefix many stores, and a long one few. The prefix of length 0 stands beside the slots.
 */
final class Trie {
    static final int LARGE_ROOT = 16;
    static final int SMALL_ROOT = 8;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    final int id;
    final int family;
    final long rd;
    final boolean ipv6;

    private final PrefixKeys keys;
    private final TrieNodes nodes;
    private final int rootBits;
    /** Nodes that begin before this bit are wide. */
    private final int wideTo;

    private final int[] root;
    private final int[] rootPrefixes;
    private final int[] rootStarts;
    /** Routes of the prefixes that begin in each slot. */
    private final int[] rootRoutes;
    /** Element 0: the prefix of length 0, or 0. */
    private final int[] all = new int[1];

    private int size;

    // Where the writer is: the nodes from the root on (the root is 0), and what is being pushed.
    private final int[] path = new int[40];
    private int depth;
    private int pushed;
    private int pushedLength;
    private int lastKey;
    private int lastLength;

    Trie(int id, int family, long rd, boolean large, PrefixKeys keys, boolean ipv6, TrieNodes nodes) {
        this.id = id;
        this.family = family;
        this.rd = rd;
        this.ipv6 = ipv6;
        this.keys = keys;
        this.nodes = nodes;
        rootBits = large ? LARGE_ROOT : SMALL_ROOT;
        wideTo = !large ? rootBits : ipv6 ? 32 : 24;
        root = new int[1 << rootBits];
        rootPrefixes = new int[(1 << rootBits) * 2 / 32];
        rootStarts = new int[(1 << rootBits) / 32];
        rootRoutes = new int[1 << rootBits];
    }

    static long bytes(boolean large) {
        return large ? (1 << LARGE_ROOT) * 67L / 8 : (1 << SMALL_ROOT) * 67L / 8 + 200;
    }

    int size() {
        return size;
    }

    /** Counts routes of a prefix. */
    void count(long high, int more) {
        int slot = (int) (high >>> 64 - rootBits);
        INT.setOpaque(rootRoutes, slot, rootRoutes[slot] + more);
    }

    int slots() {
        return root.length;
    }

    int routesOf(int slot) {
        return (int) INT.getOpaque(rootRoutes, slot);
    }

    long addressOf(int slot) {
        return (long) slot << 64 - rootBits;
    }

    /** Bits that a node at a depth looks at. */
    int stride(int base) {
        return base == 0 ? rootBits : wide(base) ? TrieNodes.WIDE_BITS : TrieNodes.NARROW_BITS;
    }

    private boolean wide(int base) {
        return base < wideTo;
    }

    static int bits(long high, long low, int base, int count) {
        long word = base < 64 ? high << base : low << base - 64;
        return (int) (word >>> 64 - count);
    }

    private Records store(int base) {
        return wide(base) ? nodes.wide : nodes.narrow;
    }

    int slot(int node, int base, int index) {
        return base == 0 ? (int) INT.getAcquire(root, index) : store(base).read(node, index);
    }

    private void slot(int node, int base, int index, int value) {
        if (base == 0) {
            INT.setRelease(root, index, value);
        } else {
            store(base).publish(node, index, value);
        }
    }

    boolean hasPrefix(int node, int base, int bit) {
        int word = base == 0
                ? (int) INT.getAcquire(rootPrefixes, bit >>> 5)
                : store(base).read(node, TrieNodes.prefixWord(wide(base), bit >>> 5));
        return (word >>> (bit & 31) & 1) != 0;
    }

    int starts(int node, int base, int word) {
        return base == 0
                ? (int) INT.getAcquire(rootStarts, word)
                : store(base).read(node, TrieNodes.startWord(wide(base), word));
    }

    int startWords(int base) {
        return base == 0 ? rootStarts.length : TrieNodes.startWords(wide(base));
    }

    private void flip(int[] rootWords, int node, int base, boolean prefixes, int bit, boolean on) {
        int word = bit >>> 5;
        int mask = 1 << (bit & 31);
        if (base == 0) {
            INT.setRelease(rootWords, word, on ? rootWords[word] | mask : rootWords[word] & ~mask);
            return;
        }
        Records store = store(base);
        int at = prefixes ? TrieNodes.prefixWord(wide(base), word) : TrieNodes.startWord(wide(base), word);
        int now = store.get(node, at);
        store.publish(node, at, on ? now | mask : now & ~mask);
    }

    private void prefix(int node, int base, int bit, boolean on) {
        flip(rootPrefixes, node, base, true, bit, on);
    }

    private void start(int node, int base, int index, boolean on) {
        flip(rootStarts, node, base, false, index, on);
    }

    /** The longest match of an address, 0 if there is none. */
    int match(long high, long low) {
        int entry = (int) INT.getAcquire(root, (int) (high >>> 64 - rootBits));
        for (int base = rootBits; entry < 0; base += stride(base)) {
            entry = base < wideTo
                    ? nodes.wide.read(~entry, (int) (high << base >>> 56))
                    : nodes.narrow.read(~entry, bits(high, low, base, TrieNodes.NARROW_BITS));
        }
        return entry != 0 ? entry : (int) INT.getAcquire(all, 0);
    }

    /** {@link #match} for many addresses, level by level, so that the loads of a level are under way together. */
    void match(long[] highs, long[] lows, int count, int[] matches) {
        for (int i = 0; i < count; i++) {
            matches[i] = (int) INT.getAcquire(root, (int) (highs[i] >>> 64 - rootBits));
        }
        boolean more = true;
        for (int base = rootBits; more; base += stride(base)) {
            more = false;
            boolean wide = wide(base);
            for (int i = 0; i < count; i++) {
                int entry = matches[i];
                if (entry < 0) {
                    entry = wide
                            ? nodes.wide.read(~entry, (int) (highs[i] << base >>> 56))
                            : nodes.narrow.read(~entry, bits(highs[i], lows[i], base, TrieNodes.NARROW_BITS));
                    matches[i] = entry;
                    more |= entry < 0;
                }
            }
        }
        int rest = (int) INT.getAcquire(all, 0);
        for (int i = 0; rest != 0 && i < count; i++) {
            matches[i] = matches[i] != 0 ? matches[i] : rest;
        }
    }

    /**
     * The longest prefix of less than {@code below} bits that covers an address, 0 if there is none.
     */
    int covering(long high, long low, int below) {
        for (int limit = below; limit > 0; ) {
            int length = coveringLength(high, low, limit);
            if (length < 0) {
                return 0;
            }
            int key = keys.find(
                    PrefixKeys.space(id, length), Lengths.maskHigh(high, length), Lengths.maskLow(low, length));
            if (key != 0) {
                return key;
            }
            limit = length;
        }
        return 0;
    }

    private int coveringLength(long high, long low, int below) {
        int best = -1;
        int node = 0;
        int base = 0;
        while (true) {
            int stride = stride(base);
            int index = bits(high, low, base, stride);
            for (int r = Math.min(stride, below - 1 - base); r >= (base == 0 ? 0 : 1); r--) {
                if (hasPrefix(node, base, 1 << r | index >>> stride - r)) {
                    best = base + r;
                    break;
                }
            }
            if (base + stride >= below - 1) {
                return best;
            }
            int entry = slot(node, base, index);
            if (entry >= 0) {
                return best;
            }
            node = ~entry;
            base += stride;
        }
    }

    void insert(int key, long high, long low, int length) {
        size++;
        int base = descend(high, low, length, true);
        int node = path[depth];
        int stride = stride(base);
        int r = length - base;
        int index = bits(high, low, base, stride);
        if (length == 0) {
            INT.setRelease(all, 0, key);
        } else {
            pushed = key;
            pushedLength = length;
            lastKey = 0;
            push(node, base, index, 1 << stride - r);
        }
        prefix(node, base, 1 << r | index >>> stride - r, true);
        start(node, base, index, true);
    }

    /** Goes to the node that a prefix ends in, and makes the way there if asked. */
    private int descend(long high, long low, int length, boolean make) {
        depth = 0;
        path[0] = 0;
        int base = 0;
        while (length > base + stride(base)) {
            int index = bits(high, low, base, stride(base));
            int entry = slot(path[depth], base, index);
            int below = base + stride(base);
            if (entry >= 0) {
                if (!make) {
                    throw new IllegalStateException("no way to a prefix of " + length + " bits");
                }
                int node = nodes.claim(wide(below), entry);
                entry = ~node;
                slot(path[depth], base, index, entry);
                start(path[depth], base, index, true);
            }
            path[++depth] = ~entry;
            base = below;
        }
        return base;
    }

    private void push(int node, int base, int from, int count) {
        int below = base + stride(base);
        for (int i = from; i < from + count; i++) {
            int entry = slot(node, base, i);
            if (entry < 0) {
                push(~entry, below, 0, 1 << stride(below));
            } else if (entry == 0 || lengthOf(entry) < pushedLength) {
                slot(node, base, i, pushed);
            }
        }
    }

    private int lengthOf(int key) {
        if (key != lastKey) {
            lastKey = key;
            lastLength = keys.length(key);
        }
        return lastLength;
    }

    /** Takes a prefix out; its key must still be in the index, as must those of all others. */
    void remove(int key, long high, long low, int length) {
        size--;
        int base = descend(high, low, length, false);
        int node = path[depth];
        int stride = stride(base);
        int r = length - base;
        int index = bits(high, low, base, stride);
        prefix(node, base, 1 << r | index >>> stride - r, false);
        if (length == 0) {
            INT.setRelease(all, 0, 0);
        } else {
            int cover = length == 1 ? 0 : covering(high, low, length);
            pull(node, base, index, 1 << stride - r, key, cover != 0 && keys.length(cover) > 0 ? cover : 0);
        }
        start(node, base, index, begins(node, base, index));
        prune(high, low, base);
    }

    private void pull(int node, int base, int from, int count, int key, int cover) {
        int below = base + stride(base);
        for (int i = from; i < from + count; i++) {
            int entry = slot(node, base, i);
            if (entry < 0) {
                pull(~entry, below, 0, 1 << stride(below), key, cover);
            } else if (entry == key) {
                slot(node, base, i, cover);
            }
        }
    }

    private boolean begins(int node, int base, int index) {
        if (slot(node, base, index) < 0) {
            return true;
        }
        int stride = stride(base);
        for (int r = stride; r >= shortest(base, stride, index); r--) {
            if (hasPrefix(node, base, 1 << r | index >>> stride - r)) {
                return true;
            }
        }
        return false;
    }

    /** Bits into the node of the shortest prefix that begins at a slot. */
    static int shortest(int base, int stride, int index) {
        return index == 0 ? base == 0 ? 0 : 1 : stride - Integer.numberOfTrailingZeros(index);
    }

    /** Gives back nodes that have become empty: all their slots say the same. */
    private void prune(long high, long low, int from) {
        int base = from;
        while (base > 0 && empty(path[depth], base)) {
            int node = path[depth--];
            int match = slot(node, base, 0);
            boolean wide = wide(base);
            base -= base == rootBits ? rootBits : wide(base - 1) ? TrieNodes.WIDE_BITS : TrieNodes.NARROW_BITS;
            int index = bits(high, low, base, stride(base));
            slot(path[depth], base, index, match);
            start(path[depth], base, index, begins(path[depth], base, index));
            retired.node(node, wide);
        }
    }

    private boolean empty(int node, int base) {
        for (int i = 0; i < startWords(base); i++) {
            if (starts(node, base, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Where nodes go that readers may still be in. */
    @FunctionalInterface
    interface Retired {
        void node(int node, boolean wide);
    }

    private Retired retired = (node, wide) -> {};

    void retireTo(Retired to) {
        retired = to;
    }
}
