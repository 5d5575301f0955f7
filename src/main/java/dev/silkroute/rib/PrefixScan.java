package dev.silkroute.rib;

import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Routes of some tries in the order of their prefixes: IPv4 first, by address, then the shorter prefix first; equal prefixes by family and RD. A
 * prefix at a time.
 */
final class PrefixScan extends RouteScan {
    private final Rib rib;
    private final PriorityQueue<Place> places;

    /** Where the scan is in one trie: at a prefix that is still to be visited. */
    private static final class Place implements Comparable<Place> {
        final Shard shard;
        final Trie trie;
        final TrieOrder order;

        Place(Shard shard, Trie trie) {
            this.shard = shard;
            this.trie = trie;
            order = new TrieOrder(trie);
        }

        @Override
        public int compareTo(Place other) {
            int byAfi = Boolean.compare(trie.ipv6, other.trie.ipv6);
            if (byAfi != 0) {
                return byAfi;
            }
            int byPrefix = Lengths.compare(
                    order.high, order.low, order.length, other.order.high, other.order.low, other.order.length);
            if (byPrefix != 0) {
                return byPrefix;
            }
            int byFamily = Integer.compare(trie.family, other.trie.family);
            return byFamily != 0 ? byFamily : Long.compareUnsigned(trie.rd, other.trie.rd);
        }
    }

    PrefixScan(Rib rib) {
        this.rib = rib;
        places = new PriorityQueue<>();
    }

    /** Adds what is covered by a prefix in a trie. */
    void add(Shard shard, Trie trie, long high, long low, int length) {
        Place place = new Place(shard, trie);
        RibReader reader = rib.borrow();
        try (RibReader.Section section = reader.enter()) {
            if (place.order.begin(high, low, length)) {
                places.add(place);
            }
        } finally {
            rib.giveBack(reader);
        }
    }

    @Override
    public boolean advance(Consumer<RouteView> each) {
        Place place = places.poll();
        if (place == null) {
            return false;
        }
        RibReader reader = rib.borrow();
        try (RibReader.Section section = reader.enter()) {
            TrieOrder order = place.order;
            PrefixKeys keys = place.shard.stores.tries.keys(place.trie.family);
            int key = keys.find(PrefixKeys.space(place.trie.id, order.length), order.high, order.low);
            reader.each(place.shard, keys, key, each);
            if (order.next()) {
                places.add(place);
            }
        } finally {
            rib.giveBack(reader);
        }
        return true;
    }
}
