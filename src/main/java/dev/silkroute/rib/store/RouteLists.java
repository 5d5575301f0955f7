package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.trie.Keys;

/**
 * The routes of a key: a list, newest first, and for keys with many routes indexes beside it, so that an update costs the same with a thousand
 * peers as with ten. Readers follow the list only.
 */
public final class RouteLists {
    /** From here on a key's routes are in the indexes. */
    private static final int LONG = 16;

    private final RouteRecords routes;
    /** Routes by key, table and path identifier. */
    private final HashIndex index;
    /** Routes by those that follow them. */
    private final HashIndex before;

    private final ReclaimQueue limbo;

    RouteLists(RouteRecords routes, ReclaimQueue limbo, MemoryBudget memory) {
        this.routes = routes;
        this.limbo = limbo;
        index = new HashIndex(memory);
        before = new HashIndex(memory);
    }

    private static int hash(int key, int table, int hasPath, int path) {
        return HashIndex.mix(((long) key << 32 | Integer.toUnsignedLong(table)) * 0x9E3779B97F4A7C15L
                ^ (path * 0xD1B54A32D192ED03L + hasPath));
    }

    private int hash(int route) {
        int key = routes.data.get(route, RouteRecords.KEY);
        int hasPath = key & RouteRecords.HAS_PATH_ID;
        return hash(
                key & ~RouteRecords.HAS_PATH_ID, routes.owner(route), hasPath, hasPath == 0 ? 0 : routes.pathId(route));
    }

    private static int hashOfNext(int route) {
        return HashIndex.mix(route * 0x9E3779B97F4A7C15L);
    }

    private int next(int route) {
        return routes.data.get(route, RouteRecords.NEXT);
    }

    /** A table's route of a key with or without path identifier, 0 if it has none. */
    public int find(Keys keys, int key, Table table, boolean hasPathId, int pathId) {
        int hasPath = hasPathId ? RouteRecords.HAS_PATH_ID : 0;
        int entry = keys.entry(key);
        if (entry < 0) {
            int hash = hash(key, table.id, hasPath, pathId);
            long[] part = index.part(hash);
            int slot = HashIndex.home(part, hash);
            for (long at = HashIndex.slot(part, slot); at != 0; at = HashIndex.slot(part, slot)) {
                if (HashIndex.hasHash(at, hash) && is(HashIndex.id(at), key | hasPath, table, pathId)) {
                    return HashIndex.id(at);
                }
                slot = HashIndex.after(part, slot);
            }
            return 0;
        }
        int route = entry;
        while (route != 0 && !is(route, key | hasPath, table, pathId)) {
            route = next(route);
        }
        return route;
    }

    private boolean is(int route, int key, Table table, int pathId) {
        return routes.data.get(route, RouteRecords.KEY) == key
                && (key >= 0 || routes.pathId(route) == pathId)
                && routes.isOf(RouteRecords.page(route), table);
    }

    public void add(Keys keys, int key, int route) {
        routes.data.set(route, RouteRecords.NEXT, keys.head(key));
        keys.publishHead(key, route);
        int count = keys.count(key);
        if (count > 0) {
            keys.count(key, count + 1);
            enter(route);
        } else if (after(route, LONG) != 0 && keys.lengthen(key, count(keys, key))) {
            for (int i = route; i != 0; i = next(i)) {
                enter(i);
            }
        }
    }

    /** The route so many after one, 0 if there are less. */
    private int after(int route, int many) {
        int at = route;
        for (int i = 0; i < many && at != 0; i++) {
            at = next(at);
        }
        return at;
    }

    /** Routes of a key, those of ended tables included. */
    public int count(Keys keys, int key) {
        int count = keys.count(key);
        for (int i = count > 0 ? 0 : keys.head(key); i != 0; i = routes.data.read(i, RouteRecords.NEXT)) {
            count++;
        }
        return count;
    }

    private void enter(int route) {
        index.add(hash(route), route);
        if (next(route) != 0) {
            before.add(hashOfNext(next(route)), route);
        }
    }

    private void leave(int route) {
        index.remove(hash(route), route);
        if (next(route) != 0) {
            before.remove(hashOfNext(next(route)), route);
        }
    }

    /** The route before one that isn't the first. */
    private int previous(int head, boolean isLong, int route) {
        if (!isLong) {
            int previous = head;
            while (next(previous) != route) {
                previous = next(previous);
            }
            return previous;
        }
        int hash = hashOfNext(route);
        long[] part = before.part(hash);
        int slot = HashIndex.home(part, hash);
        int previous = HashIndex.id(HashIndex.slot(part, slot));
        while (next(previous) != route) {
            slot = HashIndex.after(part, slot);
            previous = HashIndex.id(HashIndex.slot(part, slot));
        }
        return previous;
    }

    /** @return whether that was the last of the key */
    public boolean remove(Keys keys, int key, int route) {
        int count = keys.count(key);
        int head = keys.head(key);
        int next = next(route);
        int previous = route == head ? 0 : previous(head, count > 0, route);
        if (count > 0) {
            leave(route);
        }
        if (previous == 0) {
            keys.publishHead(key, next);
        } else {
            unlink(previous, route, next, count > 0);
        }
        if (count > LONG + 1) {
            keys.count(key, count - 1);
        } else if (count > 0) {
            for (int i = keys.head(key); i != 0; i = next(i)) {
                leave(i);
            }
            limbo.add(Stores.LIST, keys.shorten(key), 0);
        }
        return previous == 0 && next == 0;
    }

    private void unlink(int previous, int route, int next, boolean indexed) {
        if (indexed) {
            before.remove(hashOfNext(route), previous);
        }
        routes.data.publish(previous, RouteRecords.NEXT, next);
        if (indexed && next != 0) {
            before.add(hashOfNext(next), previous);
        }
    }
}
