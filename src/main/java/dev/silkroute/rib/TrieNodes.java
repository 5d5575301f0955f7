package dev.silkroute.rib;

/**
 * The nodes below the roots of all tries of a shard: of 8 bits where prefixes are dense, of 4 bits elsewhere.
 *
 * <pre>
 * wide:    256 slots | 16 prefix bits | 8 starts | 8 spare      1,152 bytes
 * narrow:   16 slots |  1 prefix bits | 1 starts | 2 spare         80 bytes
 *
 * slot &gt; 0  the longest match of all that the slot covers, a key
 *      = 0  nothing matches but perhaps the prefix of length 0
 *      &lt; 0  ~ the node of the next level
 * prefix bit  1 &lt;&lt; r | upper r bits of the slot: a prefix that ends r bits into the node is there
 * start       a slot that has a node below, or that a prefix begins at
 * </pre>
 */
final class TrieNodes {
    static final int WIDE_BITS = 8;
    static final int NARROW_BITS = 4;

    private static final int WIDE_SLOTS = 1 << WIDE_BITS;
    private static final int NARROW_SLOTS = 1 << NARROW_BITS;

    final Records wide;
    final Records narrow;

    TrieNodes(Memory memory) {
        wide = new Records(WIDE_SLOTS + 2 * WIDE_SLOTS / 32 + WIDE_SLOTS / 32 + 8, memory);
        narrow = new Records(NARROW_SLOTS + 4, memory);
    }

    int claim(boolean isWide, int slots) {
        Records nodes = isWide ? wide : narrow;
        int node = nodes.claim();
        int count = isWide ? WIDE_SLOTS : NARROW_SLOTS;
        nodes.fill(node, 0, count, slots);
        nodes.fill(node, count, isWide ? 32 : 4, 0);
        return node;
    }

    static int prefixWord(boolean isWide, int word) {
        return (isWide ? WIDE_SLOTS : NARROW_SLOTS) + word;
    }

    static int startWord(boolean isWide, int word) {
        return isWide ? WIDE_SLOTS + 2 * WIDE_SLOTS / 32 + word : NARROW_SLOTS + 1 + word;
    }

    static int startWords(boolean isWide) {
        return isWide ? WIDE_SLOTS / 32 : 1;
    }

    /** Whether a prefix of any length can be added without another segment. */
    boolean room() {
        return wide.room(4) && narrow.room(32);
    }
}
