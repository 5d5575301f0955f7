package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.trie.Keys;

/**
 * The routes of a key: a singly linked list, newest first. The routes of a key with more than {@value #LONG_LIST}
 * routes are also in two hash indexes, so that an update costs the same with a thousand peers as with ten.
 *
 * <pre>
 * key → route 0x82 → route 0x41 → 0          a key with two routes: list only
 * byKey   (key, table, path identifier) → route              finds a table's route without walking the list
 * byNext  (next route) → route                               finds the predecessor when a route is removed
 * </pre>
 *
 * Readers only follow the list. A route is published at the head after it was written, and is unlinked by one store in
 * its predecessor; its own link stays, so a reader that is at it continues.
 */
public final class RouteLists {
    /** A list with more routes than this is in the indexes. */
    private static final int LONG_LIST = 16;

    private final RouteRecords routes;
    /** Routes by key, table and path identifier. */
    private final HashIndex byKey;
    /** Routes by the route that follows them. */
    private final HashIndex byNext;

    private final ReclaimQueue reclaimQueue;

    RouteLists(RouteRecords routes, ReclaimQueue reclaimQueue, MemoryBudget memory) {
        this.routes = routes;
        this.reclaimQueue = reclaimQueue;
        byKey = new HashIndex(memory);
        byNext = new HashIndex(memory);
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

    private int attributes(int route) {
        return routes.data.get(route, RouteRecords.ATTRIBUTES);
    }

    /**
     * Returns a table's route of a key, 0 if it has none.
     *
     * @param hasPathId whether the route has a path identifier; a route without one differs from one with identifier 0
     */
    public int find(Keys keys, int key, Table table, boolean hasPathId, int pathId) {
        int hasPath = hasPathId ? RouteRecords.HAS_PATH_ID : 0;
        long head = keys.head(key);
        if (head < 0) {
            int hash = hash(key, table.id, hasPath, pathId);
            long[] part = byKey.part(hash);
            int slot = HashIndex.home(part, hash);
            for (long at = HashIndex.slot(part, slot); at != 0; at = HashIndex.slot(part, slot)) {
                if (HashIndex.hasHash(at, hash) && is(HashIndex.id(at), key | hasPath, table, pathId)) {
                    return HashIndex.id(at);
                }
                slot = HashIndex.nextSlot(part, slot);
            }
            return 0;
        }
        int route = Keys.routeOf(head);
        while (route != 0 && !is(route, key | hasPath, table, pathId)) {
            route = next(route);
        }
        return route;
    }

    private boolean is(int route, int key, Table table, int pathId) {
        return routes.data.get(route, RouteRecords.KEY) == key
                && (key >= 0 || routes.pathId(route) == pathId)
                && routes.belongsTo(RouteRecords.page(route), table);
    }

    public void add(Keys keys, int key, int route) {
        routes.data.set(route, RouteRecords.NEXT, keys.firstRoute(key));
        keys.publishFirst(key, route, attributes(route));
        int count = keys.count(key);
        if (count > 0) {
            keys.count(key, count + 1);
            addToIndexes(route);
        } else if (nth(route, LONG_LIST) != 0 && keys.makeLong(key, count(keys, key))) {
            for (int i = route; i != 0; i = next(i)) {
                addToIndexes(i);
            }
        }
    }

    /** Returns the route {@code many} links after a route, 0 if the list is shorter. */
    private int nth(int route, int many) {
        int at = route;
        for (int i = 0; i < many && at != 0; i++) {
            at = next(at);
        }
        return at;
    }

    /** Returns the number of routes of a key, including those of ended tables that are still to be purged. */
    public int count(Keys keys, int key) {
        int count = keys.count(key);
        for (int i = count > 0 ? 0 : keys.firstRoute(key); i != 0; i = routes.data.read(i, RouteRecords.NEXT)) {
            count++;
        }
        return count;
    }

    private void addToIndexes(int route) {
        byKey.add(hash(route), route);
        if (next(route) != 0) {
            byNext.add(hashOfNext(next(route)), route);
        }
    }

    private void removeFromIndexes(int route) {
        byKey.remove(hash(route), route);
        if (next(route) != 0) {
            byNext.remove(hashOfNext(next(route)), route);
        }
    }

    /** Returns the predecessor of a route that is not the first. */
    private int previous(int first, boolean isLong, int route) {
        if (!isLong) {
            int previous = first;
            while (next(previous) != route) {
                previous = next(previous);
            }
            return previous;
        }
        int hash = hashOfNext(route);
        long[] part = byNext.part(hash);
        int slot = HashIndex.home(part, hash);
        int previous = HashIndex.id(HashIndex.slot(part, slot));
        while (next(previous) != route) {
            slot = HashIndex.nextSlot(part, slot);
            previous = HashIndex.id(HashIndex.slot(part, slot));
        }
        return previous;
    }

    /**
     * Removes a route from its list.
     *
     * @return whether it was the key's last route
     */
    public boolean remove(Keys keys, int key, int route) {
        int count = keys.count(key);
        int first = keys.firstRoute(key);
        int next = next(route);
        int previous = route == first ? 0 : previous(first, count > 0, route);
        if (count > 0) {
            removeFromIndexes(route);
        }
        if (previous == 0) {
            keys.publishFirst(key, next, next == 0 ? 0 : attributes(next));
        } else {
            unlink(previous, route, next, count > 0);
        }
        if (count > LONG_LIST + 1) {
            keys.count(key, count - 1);
        } else if (count > 0) {
            for (int i = keys.firstRoute(key); i != 0; i = next(i)) {
                removeFromIndexes(i);
            }
            reclaimQueue.add(ReclaimQueue.LONG_LIST, keys.makeShort(key, attributes(keys.firstRoute(key))), 0);
        }
        return previous == 0 && next == 0;
    }

    private void unlink(int previous, int route, int next, boolean indexed) {
        if (indexed) {
            byNext.remove(hashOfNext(route), previous);
        }
        routes.data.publish(previous, RouteRecords.NEXT, next);
        if (indexed && next != 0) {
            byNext.add(hashOfNext(next), previous);
        }
    }
}
