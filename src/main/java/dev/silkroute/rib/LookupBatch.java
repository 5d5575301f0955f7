package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.memory.ByteSlab;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;

/**
 * Looks up to {@value #SIZE} addresses together for one reader: each step loads its memory for all of them before it is
 * used, so that their cache misses overlap.
 */
final class LookupBatch {
    static final int SIZE = 128;
    /** Offset in an attribute set of a second cache line to load, which most AS paths end in. */
    private static final int NEXT_LINE = 48;

    final long[] left = new long[SIZE];
    final long[] right = new long[SIZE];
    /** The key of each address's longest match, 0 if there is none. */
    final int[] matched = new int[SIZE];

    private final int[] valueIndexes = new int[SIZE];
    private final long[] heads = new long[SIZE];

    @SuppressWarnings("unused") // written so that the JIT compiler cannot eliminate the prefetching loads
    private int sink;

    /** Finds the matches of some addresses. */
    void match(Trie trie, long[] highs, long[] lows, int from, int some) {
        if (trie.ipv6) {
            System.arraycopy(highs, from, left, 0, some);
            System.arraycopy(lows, from, right, 0, some);
        } else {
            for (int i = 0; i < some; i++) {
                left[i] = lows[from + i] << 32;
            }
        }
        trie.match(left, right, some, matched, valueIndexes);
    }

    void match(Trie trie, int[] addresses, int from, int some) {
        for (int i = 0; i < some; i++) {
            left[i] = (long) addresses[from + i] << 32;
        }
        trie.match(left, right, some, matched, valueIndexes);
    }

    void lengths(PrefixKeys keys, int some, int[] lengths, int at) {
        for (int i = 0; i < some; i++) {
            lengths[at + i] = matched[i] == 0 ? -1 : keys.length(matched[i]);
        }
    }

    /** Loads what callers most likely read next: the first routes of the matches and their attributes. */
    void prefetch(Shard shard, PrefixKeys keys, int some) {
        RouteRecords routes = shard.stores.routes;
        for (int i = 0; i < some; i++) {
            heads[i] = matched[i] == 0 ? 0 : keys.head(matched[i]);
        }
        int touched = 0;
        for (int i = 0; i < some; i++) {
            if (heads[i] > 0) {
                touched += routes.owner(Keys.routeOf(heads[i]));
            }
            int set = heads[i] < 0 ? 0 : Keys.attributesOf(heads[i]);
            if (set > 0) {
                byte[] bytes = shard.stores.attributes.bytes(set);
                int at = ByteSlab.offset(set);
                touched += bytes[at] + bytes[Math.min(at + NEXT_LINE, bytes.length - 1)];
            }
        }
        sink = touched;
    }
}
