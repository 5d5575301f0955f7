package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The prefixes of one family and RD, for longest matches and exact ones: a multibit trie with a root array and {@link
 * TrieNodes nodes} below it. The unicast tables have a root of 16 bits, nodes of 8 bits down to bit 24 (IPv4) or 48
 * (IPv6), then nodes of 4 bits; other tables have a root of 8 bits and nodes of 4 bits.
 *
 * <p>Every slot holds its longest match, from whatever level (leaf pushing), so a lookup reads one slot per level and
 * never goes back up. Inserting a short prefix therefore writes many slots, a long one few. The prefix of length 0 is
 * kept beside the slots.
 *
 * <pre>
 * root slot       as a node's value: &gt; 0 key of the longest match, 0 none, &lt; 0 complement of the node below
 * rootKeys        by prefix bit 1 &lt;&lt; length | upper bits: the key of that prefix, 0 if it is not there
 *
 * 10.0.0.0/8 (key 0x10000001) and 10.1.128.0/17 (key 0x22000002):
 * root[0x0A00], root[0x0A02] … root[0x0AFF] = 0x10000001; root[0x0A01] = ~node; rootKeys[0x10A] = 0x10000001
 * node (slots 0-127: 0x10000001, slots 128-255: 0x22000002)
 * </pre>
 *
 * One thread writes, through {@link TrieEditor}. Every change that readers see is a single release store of one int, so
 * a lookup sees each slot either before or after it, and needs neither locks nor retries.
 */
public final class Trie {
    static final int LARGE_ROOT = 16;
    static final int SMALL_ROOT = 8;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    public final int id;
    public final int family;
    public final long rd;
    public final boolean ipv6;
    final int rootBits;

    public final PrefixKeys keys;
    private final TrieNodes nodes;
    /** Nodes that begin before this bit are wide (8 bits). */
    private final int wideUntil;

    private final int[] root;
    /** Keys of the prefixes of at most {@link #rootBits} bits, by prefix bit. */
    private final int[] rootKeys;
    /** Bitmap of the slots that a prefix of the root begins at or that have a node below. */
    private final int[] rootStarts;
    /** The number of routes of all prefixes that begin in each slot, for skipping in ordered scans. */
    private final int[] rootRoutes;
    /** One element: the key of the prefix of length 0, 0 if it is not there. */
    private final int[] zeroLengthKey = new int[1];

    private final Counter size = new Counter();

    Trie(int id, int family, long rd, boolean large, PrefixKeys keys, boolean ipv6, TrieNodes nodes) {
        this.id = id;
        this.family = family;
        this.rd = rd;
        this.ipv6 = ipv6;
        this.keys = keys;
        this.nodes = nodes;
        rootBits = large ? LARGE_ROOT : SMALL_ROOT;
        wideUntil = !large ? rootBits : ipv6 ? 48 : 24;
        root = new int[1 << rootBits];
        rootKeys = new int[2 << rootBits];
        rootStarts = new int[(1 << rootBits) / 32];
        rootRoutes = new int[1 << rootBits];
    }

    static long bytes(boolean large) {
        return (large ? 1 << LARGE_ROOT : 1 << SMALL_ROOT) * 129L / 8 + 500;
    }

    int size() {
        return (int) size.get();
    }

    void resize(int more) {
        size.add(more);
    }

    /** Adds to the number of routes of a prefix's root slot. */
    public void count(long high, int more) {
        int slot = (int) (high >>> 64 - rootBits);
        rootRoutes[slot] += more; // plain store: becomes visible with the next value that is published
    }

    /**
     * Loads the route counter of a prefix's root slot into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the load
     */
    int touchCount(long high) {
        return rootRoutes[(int) (high >>> 64 - rootBits)];
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

    /** The number of bits that a node at a depth decides. */
    int stride(int base) {
        return base == 0 ? rootBits : wide(base) ? TrieNodes.WIDE_BITS : TrieNodes.NARROW_BITS;
    }

    boolean wide(int base) {
        return base < wideUntil;
    }

    static int bits(long high, long low, int base, int count) {
        long word = base < 64 ? high << base : low << base - 64;
        return (int) (word >>> 64 - count);
    }

    /** The root slot of an address. */
    private int root(long high) {
        return (int) INT.getAcquire(root, (int) (high >>> 64 - rootBits));
    }

    /** Reads the root slots of several addresses, for the writer. */
    void roots(long[] highs, int count, int[] entries) {
        int shift = 64 - rootBits;
        for (int i = 0; i < count; i++) {
            entries[i] = root[(int) (highs[i] >>> shift)];
        }
    }

    int rootSlot(int slot) {
        return (int) INT.getAcquire(root, slot);
    }

    void rootSlot(int slot, int value) {
        INT.setRelease(root, slot, value);
    }

    int defaultKey() {
        return (int) INT.getAcquire(zeroLengthKey, 0);
    }

    void defaultKey(int key) {
        INT.setRelease(zeroLengthKey, 0, key);
    }

    /** Sets the key of a prefix of the root; 0 removes it. */
    void rootPrefix(int bit, int key) {
        INT.setRelease(rootKeys, bit, key);
    }

    void rootStart(int slot, boolean on) {
        int word = rootStarts[slot >>> 5];
        int mask = 1 << (slot & 31);
        INT.setRelease(rootStarts, slot >>> 5, on ? word | mask : word & ~mask);
    }

    int slot(int node, int base, int index) {
        return base == 0 ? rootSlot(index) : nodes.value(node, wide(base), index);
    }

    boolean hasPrefix(int node, int base, int bit) {
        return base == 0 ? (int) INT.getAcquire(rootKeys, bit) != 0 : nodes.hasPrefix(node, wide(base), bit);
    }

    /** Returns the first slot from {@code slot} on at which a prefix or a node may begin, -1 if there is none. */
    int nextStart(int node, int base, int slot) {
        if (base > 0) {
            return nodes.nextStart(node, wide(base), slot);
        }
        int word = slot >>> 5;
        if (word >= rootStarts.length) {
            return -1;
        }
        int starts = (int) INT.getAcquire(rootStarts, word) & -1 << (slot & 31);
        while (starts == 0) {
            if (++word == rootStarts.length) {
                return -1;
            }
            starts = (int) INT.getAcquire(rootStarts, word);
        }
        return word << 5 | Integer.numberOfTrailingZeros(starts);
    }

    /** Returns the key of the longest match of an address, 0 if there is none. */
    public int match(long high, long low) {
        TrieNodes below = nodes; // a field would be read again on each level
        int entry = root(high);
        int base = rootBits;
        if (entry < 0 && base < wideUntil) {
            entry = belowWideNodes(below, entry, high);
            base = wideUntil;
        }
        for (; entry < 0; base += TrieNodes.NARROW_BITS) {
            entry = below.narrowValue(~entry, bits(high, low, base, TrieNodes.NARROW_BITS));
        }
        return entry != 0 ? entry : defaultKey();
    }

    /**
     * Follows an entry of the root through the wide nodes, which decide the bits from 16 on, with IPv6 also those from
     * 24, 32 and 40 on. The levels are written out, because the JIT compiler saves and restores its registers around a
     * loop and in each of its iterations.
     */
    private int belowWideNodes(TrieNodes below, int rootEntry, long high) {
        int entry = below.wideValue(~rootEntry, bits(high, 0, 16, TrieNodes.WIDE_BITS));
        if (entry < 0 && ipv6) {
            entry = below.wideValue(~entry, bits(high, 0, 24, TrieNodes.WIDE_BITS));
            if (entry < 0) {
                entry = below.wideValue(~entry, bits(high, 0, 32, TrieNodes.WIDE_BITS));
                if (entry < 0) {
                    entry = below.wideValue(~entry, bits(high, 0, 40, TrieNodes.WIDE_BITS));
                }
            }
        }
        return entry;
    }

    /**
     * Finds the longest matches of several addresses level by level, so that the cache misses of a level overlap.
     *
     * @param matches receives the keys, 0 where there is no match
     * @param valueIndexes scratch space of the same length
     */
    public void match(long[] highs, long[] lows, int count, int[] matches, int[] valueIndexes) {
        int remaining = 0;
        for (int i = 0; i < count; i++) {
            matches[i] = root(highs[i]);
            remaining |= matches[i];
        }
        for (int base = rootBits; remaining < 0; base += stride(base)) {
            remaining = base < wideUntil
                    ? stepWide(highs, base, count, matches, valueIndexes)
                    : stepNarrow(highs, lows, base, count, matches);
        }
        int rest = defaultKey();
        for (int i = 0; rest != 0 && i < count; i++) {
            matches[i] = matches[i] != 0 ? matches[i] : rest;
        }
    }

    private int stepWide(long[] highs, int base, int count, int[] matches, int[] valueIndexes) {
        for (int i = 0; i < count; i++) {
            valueIndexes[i] = matches[i] < 0 ? nodes.valueIndex(~matches[i], true, (int) (highs[i] << base >>> 56)) : 0;
        }
        int remaining = 0;
        for (int i = 0; i < count; i++) {
            if (matches[i] < 0) {
                matches[i] = nodes.read(~matches[i], valueIndexes[i]);
                remaining |= matches[i];
            }
        }
        return remaining;
    }

    private int stepNarrow(long[] highs, long[] lows, int base, int count, int[] matches) {
        int remaining = 0;
        for (int i = 0; i < count; i++) {
            if (matches[i] < 0) {
                matches[i] = nodes.narrowValue(~matches[i], bits(highs[i], lows[i], base, TrieNodes.NARROW_BITS));
                remaining |= matches[i];
            }
        }
        return remaining;
    }

    /** Returns the key of a prefix whose address bits after its length are 0; 0 if the trie does not have it. */
    public int find(long high, long low, int length) {
        if (length <= rootBits) {
            return (int) INT.getAcquire(rootKeys, 1 << length | (int) (high >>> 64 - rootBits) >>> rootBits - length);
        }
        int entry = root(high);
        for (int base = rootBits; entry < 0; ) {
            int stride = stride(base);
            int index = bits(high, low, base, stride);
            int r = length - base;
            if (r <= stride) {
                int key = nodes.key(~entry, wide(base), 1 << r | index >>> stride - r, wide(base + stride));
                return keys.length(key) == length ? key : 0; // of another length while the prefix is being removed
            }
            entry = nodes.value(~entry, wide(base), index);
            base += stride;
        }
        return 0;
    }

    /**
     * Returns the key of the longest prefix of fewer than {@code below} bits that covers an address, 0 if there is
     * none.
     */
    public int covering(long high, long low, int below) {
        int key = below <= rootBits ? coveringInRoot(high, below) : coveringInNodes(high, low, below);
        return key != 0 || below == 0 ? key : defaultKey();
    }

    private int coveringInNodes(long high, long low, int below) {
        int entry = root(high);
        for (int base = rootBits; entry < 0; base += stride(base)) {
            int stride = stride(base);
            if (below <= base + stride) {
                int r = below - base;
                return nodes.covering(~entry, wide(base), 1 << r | bits(high, low, base, r));
            }
            entry = nodes.value(~entry, wide(base), bits(high, low, base, stride));
        }
        return entry;
    }

    /**
     * Returns the key of the longest prefix of 1 to {@code below - 1} bits in the root that covers an address, 0 if
     * there is none.
     */
    int coveringInRoot(long high, int below) {
        for (int r = below - 1; r > 0; r--) {
            int key = (int) INT.getAcquire(rootKeys, 1 << r | (int) (high >>> 64 - r));
            if (key != 0) {
                return key;
            }
        }
        return 0;
    }

    /** The length within the node of the shortest prefix that can begin at a slot. */
    static int shortest(int base, int stride, int index) {
        return index == 0 ? base == 0 ? 0 : 1 : stride - Integer.numberOfTrailingZeros(index);
    }
}
