package dev.silkroute.rib;

import dev.silkroute.net.Family;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RIB without locks, concurrently with writers and other readers. Reads happen in sections, within which
 * everything found stays readable:
 *
 * <pre>
 * try (RibReader.Section section = reader.enter()) {
 *     if (reader.longestMatch(Family.IPV4_UNICAST, 0, 0, address, RouteCondition.ANY, route)) { … }
 * }
 * </pre>
 *
 * Keep sections short, because memory of what is removed meanwhile is reused only after them. Entering costs a few
 * nanoseconds, and one section may contain many lookups. Each answer is correct for some moment within the section; two
 * answers need not be for the same moment.
 *
 * <p>Not thread-safe: one thread at a time. Allocates nothing.
 */
public final class RibReader implements AutoCloseable {
    /** A section; ends with {@link #close}. */
    public final class Section implements AutoCloseable {
        private Section() {}

        @Override
        public void close() {
            if (--depth == 0) {
                Epochs.exit(slot);
            }
        }
    }

    /** Receives the results of a batched lookup. */
    @FunctionalInterface
    public interface Matches {
        /**
         * Receives one result.
         *
         * @param route valid during the call; null if no route was found
         */
        void accept(int index, @Nullable RouteView route);
    }

    private final Shard[] shards;
    private final Epochs epochs;
    private final long[] slot;
    private final Section section = new Section();
    private final RouteView ownView = new RouteView();
    private int depth;
    private final LookupBatch batch = new LookupBatch();

    RibReader(Shard[] shards, Epochs epochs) {
        this.shards = shards;
        this.epochs = epochs;
        slot = epochs.register();
    }

    /** Begins a section, which may be nested. */
    public Section enter() {
        if (depth++ == 0) {
            epochs.enter(slot);
        }
        return section;
    }

    private void mustBeInside() {
        if (depth == 0) {
            throw new IllegalStateException("not inside a section: call enter() first");
        }
    }

    /** Converts to the RIB's left-aligned addresses of 128 bits. */
    static long left(int family, long high, long low) {
        return Family.afi(family) == Family.AFI_IPV6 ? high : low << 32;
    }

    static long right(int family, long low) {
        return Family.afi(family) == Family.AFI_IPV6 ? low : 0;
    }

    private Shard shard(int family, long rd, long high, int length) {
        return shards.length == 1
                ? shards[0]
                : shards[Shard.of(Family.afi(family) == Family.AFI_IPV6, rd, high, length, shards.length)];
    }

    /**
     * Returns the length of the longest prefix that covers an address, of any peer; -1 if there is none. An ended
     * table's prefix counts until it is purged.
     *
     * @param rd route distinguisher for VPN families, else 0
     * @param high upper half of an IPv6 address, 0 for IPv4
     * @param low lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
     */
    public int longestPrefix(int family, long rd, long high, long low) {
        mustBeInside();
        long left = left(family, high, low);
        long right = right(family, low);
        Shard first = shard(family, rd, left, Shard.SHARD_BITS_6);
        int length = longestPrefix(first, family, rd, left, right);
        return length >= 0 || first == shards[0] ? length : longestPrefix(shards[0], family, rd, left, right);
    }

    /**
     * Looks up many addresses in one call, so that their cache misses overlap; see {@link #longestPrefix}. Enters a
     * section by itself.
     *
     * @param lengths receives a length for each address, -1 where there is none
     */
    public void longestPrefixes(int family, long rd, long[] highs, long[] lows, int count, int[] lengths) {
        enter();
        try {
            Trie trie = onlyTrie(family, rd);
            for (int from = 0; from < count; from += LookupBatch.SIZE) {
                int some = Math.min(LookupBatch.SIZE, count - from);
                if (trie == null) {
                    for (int i = from; i < from + some; i++) {
                        lengths[i] = longestPrefix(family, rd, highs[i], lows[i]);
                    }
                } else {
                    batch.match(trie, highs, lows, from, some);
                    batch.lengths(shards[0].stores.tries.keys(family), some, lengths, from);
                }
            }
        } finally {
            section.close();
        }
    }

    /**
     * Looks up many IPv4 addresses in one call.
     *
     * @param addresses read from {@code first} on
     * @param lengths written from 0 on
     */
    public void longestPrefixes(int family, long rd, int[] addresses, int first, int count, int[] lengths) {
        enter();
        try {
            Trie trie = onlyTrie(family, rd);
            for (int from = 0; from < count; from += LookupBatch.SIZE) {
                int some = Math.min(LookupBatch.SIZE, count - from);
                if (trie == null) {
                    for (int i = from; i < from + some; i++) {
                        lengths[i] = longestPrefix(family, rd, 0, Integer.toUnsignedLong(addresses[first + i]));
                    }
                } else {
                    batch.match(trie, addresses, first + from, some);
                    batch.lengths(shards[0].stores.tries.keys(family), some, lengths, from);
                }
            }
        } finally {
            section.close();
        }
    }

    /** The trie of a family and RD if there is only one; null with several shards or without a trie. */
    private @Nullable Trie onlyTrie(int family, long rd) {
        return shards.length == 1 ? shards[0].stores.tries.find(family, rd) : null;
    }

    private static int longestPrefix(Shard shard, int family, long rd, long high, long low) {
        Trie trie = shard.stores.tries.find(family, rd);
        if (trie == null) {
            return -1;
        }
        int key = trie.match(high, low);
        return key == 0 ? -1 : shard.stores.tries.keys(family).length(key);
    }

    /**
     * Finds the route with the longest prefix that covers an address and meets a condition; a prefix without such a
     * route is skipped for the next shorter one. Of several routes it is the one that was added last. That depends on
     * the order in which routes came, which differs between RIBs; to choose the same route everywhere, compare those of
     * {@link #routesOf}.
     *
     * @param route moved to the route
     * @return whether there is one
     */
    public boolean longestMatch(int family, long rd, long high, long low, RouteCondition condition, RouteView route) {
        mustBeInside();
        long left = left(family, high, low);
        long right = right(family, low);
        Shard first = shard(family, rd, left, Shard.SHARD_BITS_6);
        return longestMatch(first, family, rd, left, right, condition, route)
                || first != shards[0] && longestMatch(shards[0], family, rd, left, right, condition, route);
    }

    private static boolean longestMatch(
            Shard shard, int family, long rd, long high, long low, RouteCondition condition, RouteView route) {
        Trie trie = shard.stores.tries.find(family, rd);
        if (trie == null) {
            return false;
        }
        return longestMatch(shard, trie, trie.match(high, low), high, low, condition, route);
    }

    private static boolean longestMatch(
            Shard shard, Trie trie, int match, long high, long low, RouteCondition condition, RouteView route) {
        return match != 0
                && (first(shard, trie.keys, match, condition, route)
                        || shorterMatch(shard, trie, match, high, low, condition, route));
    }

    /**
     * Finds the route of a shorter prefix. A method of its own, because the usual case, in which the longest match has
     * such a route, is faster without a loop.
     */
    private static boolean shorterMatch(
            Shard shard, Trie trie, int match, long high, long low, RouteCondition condition, RouteView route) {
        int key = match;
        do {
            key = trie.covering(high, low, trie.keys.length(key));
        } while (key != 0 && !first(shard, trie.keys, key, condition, route));
        return key != 0;
    }

    /** Moves a view to the first visible route of a key that meets a condition. */
    static boolean first(Shard shard, Keys keys, int key, RouteCondition condition, RouteView route) {
        long head = keys.head(key);
        int id = Keys.routeOf(head);
        boolean isShort = id > 0;
        if (isShort && visible(shard, keys, key, id, Keys.attributesOf(head), route) && condition.test(route)) {
            return true;
        }
        int from = isShort ? shard.stores.routes.data.read(id, RouteRecords.NEXT) : keys.firstRoute(key);
        return next(shard, keys, key, from, condition, route);
    }

    /**
     * The same for the routes of a list from one on; a method of its own for the same reason as {@link #shorterMatch}.
     */
    private static boolean next(Shard shard, Keys keys, int key, int from, RouteCondition condition, RouteView route) {
        int id = from;
        RouteRecords routes = shard.stores.routes;
        while (id != 0 && !(visible(shard, keys, key, id, routes.attributes(id), route) && condition.test(route))) {
            id = routes.data.read(id, RouteRecords.NEXT);
        }
        return id != 0;
    }

    private static boolean visible(Shard shard, Keys keys, int key, int id, int attributes, RouteView route) {
        Stores stores = shard.stores;
        Table table = stores.routes.tableOf(id, stores.tables);
        if (table == null) {
            return false;
        }
        route.moveTo(shard, keys, key, id, attributes, table);
        return true;
    }

    /**
     * Looks up many addresses in one call, so that their cache misses overlap; see {@link #longestMatch}. Enters a
     * section by itself.
     *
     * @param matches called once for each address, in order
     */
    public void longestMatches(
            int family, long rd, long[] highs, long[] lows, int count, RouteCondition condition, Matches matches) {
        enter();
        try {
            Trie trie = onlyTrie(family, rd);
            for (int from = 0; from < count; from += LookupBatch.SIZE) {
                int some = Math.min(LookupBatch.SIZE, count - from);
                if (trie != null) {
                    batch.match(trie, highs, lows, from, some);
                    batch.prefetch(shards[0], shards[0].stores.tries.keys(family), some);
                }
                for (int i = 0; i < some; i++) {
                    boolean found = trie == null
                            ? longestMatch(family, rd, highs[from + i], lows[from + i], condition, ownView)
                            : longestMatch(trie, i, condition);
                    matches.accept(from + i, found ? ownView : null);
                }
            }
        } finally {
            section.close();
        }
    }

    private boolean longestMatch(Trie trie, int index, RouteCondition condition) {
        return longestMatch(
                shards[0],
                trie,
                batch.matched[index],
                batch.left[index],
                trie.ipv6 ? batch.right[index] : 0,
                condition,
                ownView);
    }

    /**
     * Visits every route of one prefix.
     *
     * @param high as in {@link #longestMatch}; bits after the prefix length are ignored
     * @param each receives a view that is valid during the call
     */
    public void routesOf(int family, long rd, long high, long low, int length, Consumer<RouteView> each) {
        mustBeInside();
        long left = PrefixBits.maskHigh(left(family, high, low), length);
        long right = PrefixBits.maskLow(right(family, low), length);
        Shard shard = shard(family, rd, left, length);
        Trie trie = shard.stores.tries.find(family, rd);
        if (trie != null) {
            PrefixKeys keys = shard.stores.tries.keys(family);
            each(shard, keys, trie.find(left, right, length), each);
        }
    }

    void each(Shard shard, Keys keys, int key, Consumer<RouteView> each) {
        if (key == 0) {
            return;
        }
        RouteRecords routes = shard.stores.routes;
        for (int id = keys.firstRoute(key); id != 0; id = routes.data.read(id, RouteRecords.NEXT)) {
            if (visible(shard, keys, key, id, routes.attributes(id), ownView)) {
                each.accept(ownView);
            }
        }
    }

    /**
     * Visits all routes, in no particular order. A route that exists all the time is visited once; one that comes or
     * goes meanwhile may be visited.
     *
     * @param each receives a view that is valid during the call
     */
    public void forEach(Consumer<RouteView> each) {
        for (Shard shard : shards) {
            int tables = shard.stores.tables.count();
            for (int t = 1; t <= tables; t++) {
                forEach(shard, shard.stores.tables.get(t), each);
            }
        }
    }

    private void forEach(Shard shard, Table table, Consumer<RouteView> each) {
        Keys keys = shard.stores.keys(table.family);
        int[] pages = table.pages();
        for (int position = 0; position < pages.length; position++) {
            enter();
            try {
                page(shard, table, keys, pages[position], each);
            } finally {
                section.close();
            }
        }
    }

    private void page(Shard shard, Table table, Keys keys, int page, Consumer<RouteView> each) {
        for (long live = page <= 0 ? 0 : shard.stores.routes.live(page, table); live != 0; live &= live - 1) {
            int id = page << RouteRecords.PAGE_SHIFT | Long.numberOfTrailingZeros(live);
            ownView.moveTo(shard, keys, id, table);
            each.accept(ownView);
        }
    }

    /**
     * Visits the routes of one page of a table, in a section of its own.
     *
     * @param pages of the table; the page at the position is read within the section, because before it the page may
     *     become another table's
     */
    void page(Shard shard, Table table, int[] pages, int position, Consumer<RouteView> each) {
        Keys keys = shard.stores.keys(table.family);
        enter();
        try {
            page(shard, table, keys, pages[position], each);
        } finally {
            section.close();
        }
    }

    /** Unregisters the reader. */
    @Override
    public void close() {
        if (depth != 0) {
            throw new IllegalStateException("a section is still open");
        }
        epochs.unregister(slot);
    }
}
