package dev.silkroute.rib;

/**
 * The routes of a key: a list, newest first, and for keys with many routes an index beside it, so that an update costs the same with a thousand
 * peers as with ten. Readers follow the list only.
 */
final class Chains {
    /** From here on a key's routes are in the index. */
    private static final int LONG = 16;

    private final Routes routes;
    private final Tables tables;
    private final HashIndex index;

    Chains(Routes routes, Tables tables, Memory memory) {
        this.routes = routes;
        this.tables = tables;
        index = new HashIndex(memory);
    }

    private static int hash(int key, int table, int hasPath, int path) {
        return HashIndex.mix(((long) key << 32 | Integer.toUnsignedLong(table)) * 0x9E3779B97F4A7C15L
                ^ (path * 0xD1B54A32D192ED03L + hasPath));
    }

    private int hash(int route) {
        int key = routes.data.get(route, Routes.KEY);
        return hash(
                key & ~Routes.HAS_PATH_ID,
                routes.owner(route),
                key & Routes.HAS_PATH_ID,
                routes.data.get(route, Routes.PATH));
    }

    /** A table's route of a key with or without path identifier, 0 if it has none. */
    int find(Keys keys, int key, Table table, boolean hasPathId, int pathId) {
        int hasPath = hasPathId ? Routes.HAS_PATH_ID : 0;
        if (keys.count(key) > LONG) {
            int hash = hash(key, table.id, hasPath, pathId);
            long[] part = index.part(hash);
            int slot = HashIndex.home(part, hash);
            for (long entry = HashIndex.slot(part, slot); entry != 0; entry = HashIndex.slot(part, slot)) {
                if (HashIndex.hasHash(entry, hash) && is(HashIndex.id(entry), key | hasPath, table, pathId)) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.after(part, slot);
            }
            return 0;
        }
        int route = keys.head(key);
        while (route != 0 && !is(route, key | hasPath, table, pathId)) {
            route = routes.data.get(route, Routes.NEXT);
        }
        return route;
    }

    private boolean is(int route, int key, Table table, int pathId) {
        return routes.data.get(route, Routes.PATH) == pathId
                && routes.data.get(route, Routes.KEY) == key
                && routes.isOf(Routes.page(route), table);
    }

    void add(Keys keys, int key, int route) {
        Records data = routes.data;
        int head = keys.head(key);
        data.set(route, Routes.NEXT, head);
        data.set(route, Routes.PREVIOUS, 0);
        if (head != 0) {
            data.set(head, Routes.PREVIOUS, route);
        }
        int count = keys.count(key) + 1;
        keys.publishHead(key, route);
        keys.count(key, count);
        if (count == LONG + 1) {
            for (int i = route; i != 0; i = data.get(i, Routes.NEXT)) {
                index.add(hash(i), i);
            }
        } else if (count > LONG + 1) {
            index.add(hash(route), route);
        }
    }

    /** @return routes left of the key */
    int remove(Keys keys, int key, int route) {
        Records data = routes.data;
        int count = keys.count(key);
        if (count > LONG) {
            index.remove(hash(route), route);
        }
        int next = data.get(route, Routes.NEXT);
        int previous = data.get(route, Routes.PREVIOUS);
        if (previous == 0) {
            keys.publishHead(key, next);
        } else {
            data.publish(previous, Routes.NEXT, next);
        }
        if (next != 0) {
            data.set(next, Routes.PREVIOUS, previous);
        }
        keys.count(key, count - 1);
        if (count == LONG + 1) {
            for (int i = keys.head(key); i != 0; i = data.get(i, Routes.NEXT)) {
                index.remove(hash(i), i);
            }
        }
        return count - 1;
    }

    Table table(int route) {
        return tables.get(routes.owner(route));
    }
}
