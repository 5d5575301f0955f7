package dev.silkroute.perf.rib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A RIB in conventional Java: an array by the first 18 bits of the address, in it a {@link PlainTrie} of the longer
 * prefixes, objects for prefixes and routes, attribute sets interned and counted, and a read-write lock for each
 * sixteenth of the tries. A fair baseline: no field or object in it is unnecessary, nothing is boxed, and the longest
 * match of an IPv4 /24 is found in two steps.
 */
final class PlainRib {
    private static final int SHARDS = 16;
    private static final int ROOT_BITS = 18;

    /** An address of 128 bits, left-aligned, and the number of its bits that count. The others are 0. */
    record Prefix(long high, long low, int length) {}

    record Route(int peer, int pathId, PlainAttributes attributes) {
        private boolean is(int ofPeer, int ofPathId) {
            return peer == ofPeer && pathId == ofPathId;
        }
    }

    /** A node or a lone prefix, to which a slot of a trie's node leads. */
    sealed interface Below permits PlainTrie, PlainTrie.Entry {}

    /** The prefixes of one family. */
    private static final class Table {
        /** Prefixes of more than 18 bits, by these. */
        final @Nullable PlainTrie[] root = new @Nullable PlainTrie[1 << ROOT_BITS];

        final PlainTrie shorter = new PlainTrie();

        @Nullable
        PlainTrie trie(int length, int slot) {
            return length <= ROOT_BITS ? shorter : root[slot];
        }
    }

    private static final class Shard {
        final ReadWriteLock lock = new ReentrantReadWriteLock();
        long routes;
    }

    /** The result of a lookup. */
    record Match(long high, long low, int length, Route route) {
        private Match(PlainTrie.Entry entry) {
            this(entry.high, entry.low, entry.length, entry.routes[0]);
        }
    }

    private final Table four = new Table();
    private final Table six = new Table();
    private final Shard[] shards = new Shard[SHARDS];

    /** Routes of the prefixes of at most 18 bits. */
    private final Shard shorter = new Shard();

    private final Map<PlainAttributes, PlainAttributes> sets = new ConcurrentHashMap<>();

    PlainRib() {
        Arrays.setAll(shards, _ -> new Shard());
    }

    private Table table(boolean ipv6) {
        return ipv6 ? six : four;
    }

    private static int slot(long high) {
        return (int) (high >>> 64 - ROOT_BITS);
    }

    private Shard shard(int slot) {
        return shards[slot * 31 >>> 4 & SHARDS - 1];
    }

    void announce(boolean ipv6, Prefix prefix, int peer, int pathId, PlainAttributes attributes) {
        Route route = new Route(peer, pathId, keep(attributes));
        int slot = slot(prefix.high);
        Shard shard = prefix.length <= ROOT_BITS ? shorter : shard(slot);
        shard.lock.writeLock().lock();
        try {
            Table table = table(ipv6);
            PlainTrie trie = table.trie(prefix.length, slot);
            if (trie == null) {
                trie = new PlainTrie();
                table.root[slot] = trie;
            }
            announce(trie, shard, prefix, route);
        } finally {
            shard.lock.writeLock().unlock();
        }
    }

    /** The first bit of an address that the trie of a prefix decides. */
    private static int first(int length) {
        return length <= ROOT_BITS ? 0 : ROOT_BITS;
    }

    private void announce(PlainTrie trie, Shard shard, Prefix prefix, Route route) {
        PlainTrie.Entry entry = trie.find(prefix, first(prefix.length));
        if (entry == null) {
            trie.add(prefix, route, first(prefix.length));
            shard.routes++;
            return;
        }
        int at = find(entry.routes, route.peer, route.pathId);
        if (at >= 0) {
            release(entry.routes[at].attributes);
            entry.routes[at] = route;
        } else {
            entry.routes = Arrays.copyOf(entry.routes, entry.routes.length + 1);
            entry.routes[entry.routes.length - 1] = route;
            shard.routes++;
        }
    }

    void withdraw(boolean ipv6, Prefix prefix, int peer, int pathId) {
        Table table = table(ipv6);
        int slot = slot(prefix.high);
        Shard shard = prefix.length <= ROOT_BITS ? shorter : shard(slot);
        shard.lock.writeLock().lock();
        try {
            PlainTrie trie = table.trie(prefix.length, slot);
            PlainTrie.Entry entry = trie == null ? null : trie.find(prefix, first(prefix.length));
            int at = entry == null ? -1 : find(entry.routes, peer, pathId);
            if (trie != null && entry != null && at >= 0) {
                remove(trie, shard, entry, at);
                removeIfEmpty(table, trie, slot);
            }
        } finally {
            shard.lock.writeLock().unlock();
        }
    }

    private void remove(PlainTrie trie, Shard shard, PlainTrie.Entry entry, int at) {
        release(entry.routes[at].attributes);
        shard.routes--;
        if (entry.routes.length == 1) {
            trie.remove(new Prefix(entry.high, entry.low, entry.length), first(entry.length));
        } else {
            Route[] fewer = Arrays.copyOf(entry.routes, entry.routes.length - 1);
            System.arraycopy(entry.routes, at + 1, fewer, at, fewer.length - at);
            entry.routes = fewer;
        }
    }

    private static void removeIfEmpty(Table table, PlainTrie trie, int slot) {
        if (trie != table.shorter && trie.empty()) {
            table.root[slot] = null;
        }
    }

    /** Removes a peer's routes. There is no list of them: all routes are scanned. */
    void flush(int peer) {
        for (Table table : List.of(four, six)) {
            flush(table, 0, 0, shorter, peer);
            for (int slot = 0; slot < table.root.length; slot++) {
                flush(table, ROOT_BITS + 1, slot, shard(slot), peer);
            }
        }
    }

    private void flush(Table table, int length, int slot, Shard shard, int peer) {
        shard.lock.writeLock().lock();
        try {
            PlainTrie trie = table.trie(length, slot);
            if (trie != null) {
                flush(trie, shard, peer);
                removeIfEmpty(table, trie, slot);
            }
        } finally {
            shard.lock.writeLock().unlock();
        }
    }

    private void flush(PlainTrie trie, Shard shard, int peer) {
        List<PlainTrie.Entry> all = new ArrayList<>();
        trie.forEach(all::add);
        for (PlainTrie.Entry entry : all) {
            for (int i = entry.routes.length - 1; i >= 0; i--) {
                if (entry.routes[i].peer == peer) {
                    remove(trie, shard, entry, i);
                }
            }
        }
    }

    /** The longest match of an address, 128 bits that are left-aligned, and the first of its routes. */
    @Nullable
    Match match(boolean ipv6, long high, long low) {
        Table table = table(ipv6);
        int slot = slot(high);
        Match match = match(table, slot, high, low);
        return match == null ? matchShorter(table, high, low) : match;
    }

    private @Nullable Match match(Table table, int slot, long high, long low) {
        Shard shard = shard(slot);
        shard.lock.readLock().lock();
        try {
            PlainTrie trie = table.root[slot];
            return trie == null ? null : match(trie.match(high, low, ROOT_BITS));
        } finally {
            shard.lock.readLock().unlock();
        }
    }

    private @Nullable Match matchShorter(Table table, long high, long low) {
        shorter.lock.readLock().lock();
        try {
            return match(table.shorter.match(high, low, 0));
        } finally {
            shorter.lock.readLock().unlock();
        }
    }

    private static @Nullable Match match(PlainTrie.@Nullable Entry entry) {
        return entry == null ? null : new Match(entry);
    }

    private static int find(Route[] routes, int peer, int pathId) {
        for (int i = 0; i < routes.length; i++) {
            if (routes[i].is(peer, pathId)) {
                return i;
            }
        }
        return -1;
    }

    private PlainAttributes keep(PlainAttributes attributes) {
        return sets.compute(attributes, (_, known) -> {
            PlainAttributes kept = known == null ? attributes : known;
            kept.uses++;
            return kept;
        });
    }

    private void release(PlainAttributes attributes) {
        sets.computeIfPresent(attributes, (_, known) -> --known.uses == 0 ? null : known);
    }

    long routes() {
        long routes = shorter.routes;
        for (Shard shard : shards) {
            routes += shard.routes;
        }
        return routes;
    }
}
