package dev.silkroute.perf.rib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A RIB in conventional Java: records as keys, a hash map for each prefix length, a list of routes at each prefix,
 * attribute sets interned and counted, and a read-write lock on each of sixteen shards. A fair baseline: it makes no
 * unnecessary objects, boxes nothing, and does not search lengths without prefixes.
 */
final class PlainRib {
    private static final int SHARDS = 16;
    private static final int SESSION = 1;

    sealed interface Prefix permits Four, Six {
        int length();
    }

    record Four(int address, int length) implements Prefix {}

    record Six(long high, long low, int length) implements Prefix {}

    /** @param session of the BMP session that spoke of it last: if that is over, the route is stale */
    record Route(int peer, boolean hasPathId, int pathId, int session, PlainAttributes attributes) {}

    private static final class Shard {
        final ReadWriteLock lock = new ReentrantReadWriteLock();
        final @Nullable Map<Prefix, List<Route>>[] four = maps(33);
        final @Nullable Map<Prefix, List<Route>>[] six = maps(129);
        long routes;

        @SuppressWarnings("unchecked")
        private static @Nullable Map<Prefix, List<Route>>[] maps(int count) {
            return (@Nullable Map<Prefix, List<Route>>[]) new Map<?, ?>[count];
        }

        @Nullable
        Map<Prefix, List<Route>>[] maps(Prefix prefix) {
            return prefix instanceof Four ? four : six;
        }
    }

    /** The result of a lookup. */
    record Match(Prefix prefix, Route route) {}

    private final Shard[] shards = new Shard[SHARDS];

    /** Prefixes that are too short to be in one shard. */
    private final Shard wide = new Shard();

    private final Map<PlainAttributes, PlainAttributes> sets = new ConcurrentHashMap<>();

    PlainRib() {
        Arrays.setAll(shards, _ -> new Shard());
    }

    private Shard shard(Prefix prefix) {
        return switch (prefix) {
            case Four four -> four.length < 8 ? wide : of(four.address);
            case Six six -> six.length < 16 ? wide : of(six.high);
        };
    }

    private Shard of(int address) {
        return shards[(address >>> 24) % SHARDS];
    }

    private Shard of(long high) {
        return shards[(int) (high >>> 48) * 31 % SHARDS];
    }

    void announce(Prefix prefix, int peer, int pathId, PlainAttributes attributes) {
        Route route = new Route(peer, false, pathId, SESSION, keep(attributes));
        Shard shard = shard(prefix);
        shard.lock.writeLock().lock();
        try {
            @Nullable Map<Prefix, List<Route>>[] maps = shard.maps(prefix);
            Map<Prefix, List<Route>> map = maps[prefix.length()];
            if (map == null) {
                map = new HashMap<>();
                maps[prefix.length()] = map;
            }
            List<Route> routes = map.computeIfAbsent(prefix, _ -> new ArrayList<>(1));
            int at = find(routes, peer, pathId);
            if (at >= 0) {
                release(routes.set(at, route).attributes);
            } else {
                routes.add(route);
                shard.routes++;
            }
        } finally {
            shard.lock.writeLock().unlock();
        }
    }

    void withdraw(Prefix prefix, int peer, int pathId) {
        Shard shard = shard(prefix);
        shard.lock.writeLock().lock();
        try {
            Map<Prefix, List<Route>> map = shard.maps(prefix)[prefix.length()];
            List<Route> routes = map == null ? null : map.get(prefix);
            int at = routes == null ? -1 : find(routes, peer, pathId);
            if (map != null && routes != null && at >= 0) {
                release(routes.remove(at).attributes);
                shard.routes--;
                if (routes.isEmpty()) {
                    map.remove(prefix);
                }
            }
        } finally {
            shard.lock.writeLock().unlock();
        }
    }

    /** Removes a peer's routes. There is no list of them: all routes are scanned. */
    void flush(int peer) {
        for (int i = 0; i <= SHARDS; i++) {
            Shard shard = i < SHARDS ? shards[i] : wide;
            shard.lock.writeLock().lock();
            try {
                flush(shard, shard.four, peer);
                flush(shard, shard.six, peer);
            } finally {
                shard.lock.writeLock().unlock();
            }
        }
    }

    private void flush(Shard shard, @Nullable Map<Prefix, List<Route>>[] maps, int peer) {
        for (Map<Prefix, List<Route>> map : maps) {
            if (map != null) {
                for (Iterator<List<Route>> lists = map.values().iterator(); lists.hasNext(); ) {
                    List<Route> routes = lists.next();
                    for (int i = routes.size() - 1; i >= 0; i--) {
                        if (routes.get(i).peer == peer) {
                            release(routes.remove(i).attributes);
                            shard.routes--;
                        }
                    }
                    if (routes.isEmpty()) {
                        lists.remove();
                    }
                }
            }
        }
    }

    @Nullable
    Match match(int address) {
        Match match = match(of(address), address);
        return match == null ? match(wide, address) : match;
    }

    private static @Nullable Match match(Shard shard, int address) {
        shard.lock.readLock().lock();
        try {
            for (int length = 32; length >= 0; length--) {
                Map<Prefix, List<Route>> map = shard.four[length];
                if (map != null) {
                    Four prefix = new Four(length == 0 ? 0 : address & -1 << 32 - length, length);
                    List<Route> routes = map.get(prefix);
                    if (routes != null) {
                        return new Match(prefix, routes.getFirst());
                    }
                }
            }
            return null;
        } finally {
            shard.lock.readLock().unlock();
        }
    }

    @Nullable
    Match match(long high, long low) {
        Match match = match(of(high), high, low);
        return match == null ? match(wide, high, low) : match;
    }

    private static @Nullable Match match(Shard shard, long high, long low) {
        shard.lock.readLock().lock();
        try {
            for (int length = 128; length >= 0; length--) {
                Map<Prefix, List<Route>> map = shard.six[length];
                if (map != null) {
                    Six prefix = new Six(high & Oracle.mask(length), low & Oracle.mask(length - 64), length);
                    List<Route> routes = map.get(prefix);
                    if (routes != null) {
                        return new Match(prefix, routes.getFirst());
                    }
                }
            }
            return null;
        } finally {
            shard.lock.readLock().unlock();
        }
    }

    private static int find(List<Route> routes, int peer, int pathId) {
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).peer == peer && routes.get(i).pathId == pathId) {
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
        long routes = wide.routes;
        for (Shard shard : shards) {
            routes += shard.routes;
        }
        return routes;
    }
}
