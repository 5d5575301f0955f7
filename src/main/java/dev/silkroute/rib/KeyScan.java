package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;
import java.util.List;
import java.util.function.Consumer;

/**
 * Scans the routes of prefixes that are known by address and length: one prefix, all that cover it, or the longest of
 * these with a matching route.
 */
final class KeyScan extends RouteScan {
    private final Rib rib;
    private final List<Trie> tries;
    private final List<Shard> shards;
    private final long high;
    private final long low;
    private final int length;
    private final int shortest;
    private final RouteCondition until;
    private int trie;
    private int below;

    /**
     * @param shards the shards of the tries, in the same order
     * @param shortest length of the shortest prefix to visit
     * @param until the first prefix with a route that meets this ends the scan of a trie
     */
    KeyScan(
            Rib rib,
            List<Shard> shards,
            List<Trie> tries,
            long high,
            long low,
            int length,
            int shortest,
            RouteCondition until) {
        this.rib = rib;
        this.shards = shards;
        this.tries = tries;
        this.high = high;
        this.low = low;
        this.length = length;
        this.shortest = shortest;
        this.until = until;
        below = length + 1;
    }

    @Override
    public boolean advance(Consumer<RouteView> each) {
        if (trie == tries.size()) {
            return false;
        }
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            Trie now = tries.get(trie);
            Shard shard = shards.get(trie);
            PrefixKeys keys = shard.stores.tries.keys(now.family);
            int key = shortest == length
                    ? now.find(PrefixBits.maskHigh(high, length), PrefixBits.maskLow(low, length), length)
                    : now.covering(high, low, below);
            below = key == 0 ? 0 : keys.length(key);
            boolean[] met = {false};
            reader.each(shard, keys, key, route -> {
                met[0] |= until.test(route);
                each.accept(route);
            });
            if (below <= shortest || met[0]) {
                below = length + 1;
                do {
                    trie++;
                } while (met[0] && trie < tries.size() && sameTable(now, tries.get(trie)));
            }
        } finally {
            rib.release(reader);
        }
        return true;
    }

    /** The prefixes of one table may be in two shards; the second one that is searched has the short ones. */
    private static boolean sameTable(Trie one, Trie other) {
        return one.family == other.family && one.rd == other.rd;
    }
}
