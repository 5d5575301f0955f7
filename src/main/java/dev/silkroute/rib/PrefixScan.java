package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.rib.trie.TrieCursor;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Scans the routes of several tries in the order of their prefixes: IPv4 first, then by address, then the shorter
 * prefix first; equal prefixes by family and RD.
 */
final class PrefixScan extends RouteScan {
    /** The number of prefixes visited in one section. */
    private static final int AT_A_TIME = 16;

    private final Rib rib;
    private final PriorityQueue<Place> places;

    /** The position in one trie: a prefix that is still to be visited. */
    private static final class Place implements Comparable<Place> {
        final Shard shard;
        final Trie trie;
        final TrieCursor order;

        Place(Shard shard, Trie trie) {
            this.shard = shard;
            this.trie = trie;
            order = new TrieCursor(trie);
        }

        PrefixKeys keys() {
            return shard.stores.tries.keys(trie.family);
        }

        /** The prefix's key, 0 if it has been removed since. */
        int key() {
            return trie.find(order.high, order.low, order.length);
        }

        @Override
        public int compareTo(Place other) {
            int byAfi = Boolean.compare(trie.ipv6, other.trie.ipv6);
            if (byAfi != 0) {
                return byAfi;
            }
            int byPrefix = PrefixBits.compare(
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

    /** Adds the prefixes of a trie that are covered by a prefix. */
    void add(Shard shard, Trie trie, long high, long low, int length) {
        Place place = new Place(shard, trie);
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            if (place.order.begin(high, low, length)) {
                places.add(place);
            }
        } finally {
            rib.release(reader);
        }
    }

    @Override
    public boolean advance(Consumer<RouteView> each) {
        Place place = places.poll();
        if (place == null) {
            return false;
        }
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            boolean more = true;
            for (int i = 0; more && i < AT_A_TIME && first(place); i++) {
                reader.each(place.shard, place.keys(), place.key(), each);
                more = place.order.next();
            }
            if (more) {
                places.add(place);
            }
        } finally {
            rib.release(reader);
        }
        return true;
    }

    private boolean first(Place place) {
        Place next = places.peek();
        return next == null || place.compareTo(next) <= 0;
    }

    /**
     * Skips routes by counters, if one trie alone has the next prefixes: whole root slots first, then single prefixes.
     */
    @Override
    public long skip(long most) {
        Place place = places.poll();
        if (place == null || !rib.scans().isPurged() || places.stream().anyMatch(p -> p.trie.ipv6 == place.trie.ipv6)) {
            if (place != null) {
                places.add(place);
            }
            return 0;
        }
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            long skipped = place.order.skip(most);
            boolean more = place.order.positioned();
            while (more) {
                int key = place.key();
                int here = key == 0 ? 0 : place.shard.stores.routeLists.count(place.keys(), key);
                if (skipped + here > most) {
                    break;
                }
                skipped += here;
                more = place.order.next();
            }
            if (more) {
                places.add(place);
            }
            return skipped;
        } finally {
            rib.release(reader);
        }
    }
}
