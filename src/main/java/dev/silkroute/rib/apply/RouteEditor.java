package dev.silkroute.rib.apply;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.memory.RecordSlab;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;

/**
 * Adds, changes and removes single routes in a shard's stores. Each operation publishes with its last store on the path
 * of readers, so that a reader sees the route before or after it, never a part. Used by the writer only.
 */
final class RouteEditor {
    private final Stores stores;
    private final Registry registry;

    RouteEditor(Stores stores, Registry registry) {
        this.stores = stores;
        this.registry = registry;
    }

    /**
     * Adds a route that does not exist.
     *
     * @param attributes an attribute set, or the complement of an extra
     */
    void add(Table table, Keys keys, int key, NlriReader nlri, int attributes) {
        int set = stores.set(attributes);
        int route = stores.routes.claim(table);
        RecordSlab data = stores.routes.data;
        data.set(route, RouteRecords.ATTRIBUTES, attributes);
        if (nlri.hasPathId()) {
            stores.routes.pathId(route, nlri.pathId());
        }
        data.set(route, RouteRecords.KEY, key | (nlri.hasPathId() ? RouteRecords.HAS_PATH_ID : 0));
        stores.attributes.hold(set);
        stores.attributes.count(set, 1);
        table.peerView.peer.router.holdOrdinal(table.peerView.ordinal(), 1);
        stores.routeLists.add(keys, key, route);
        countInTrie(table.family, keys, key, 1);
        stores.routes.show(route);
        changed(route);
        registry.count(table, 1);
        table.confirmed.add(1);
    }

    /** Changes the attributes of a route, whose key is {@code key}. */
    void change(Keys keys, int key, int route, int attributes) {
        int before = stores.routes.data.get(route, RouteRecords.ATTRIBUTES);
        int set = stores.set(attributes);
        int setBefore = stores.set(before);
        stores.attributes.hold(set);
        stores.attributes.count(set, 1);
        stores.routes.data.publish(route, RouteRecords.ATTRIBUTES, attributes);
        keys.publishAttributes(key, route, attributes);
        changed(route);
        stores.attributes.count(setBefore, -1);
        stores.attributes.drop(setBefore);
        dropExtra(before);
    }

    private void changed(int route) {
        stores.changedPages.add(RouteRecords.page(route));
    }

    private void dropExtra(int attributes) {
        if (attributes < 0) {
            stores.reclaimQueue.add(ReclaimQueue.BYTES, ~attributes, stores.extras.length(~attributes));
        }
    }

    /** Marks a route that an older session had announced last as announced by the table's current session. */
    void confirm(Table table, int route) {
        int now = table.peerView.ordinal();
        RouterState router = table.peerView.peer.router;
        router.holdOrdinal(now, 1);
        router.dropOrdinal(stores.routes.session(route), 1);
        stores.routes.session(route, now);
        table.confirmed.add(1);
    }

    /** Removes a live route. */
    void remove(Table table, int route) {
        if (stores.routes.session(route) == table.peerView.ordinal()) {
            table.confirmed.add(-1);
        }
        registry.count(table, -1);
        stores.routes.hide(route);
        unlink(table, route);
        stores.reclaimQueue.add(ReclaimQueue.ROUTE, route, 0);
    }

    /** Removes a route from its key's list and from all counters, but not from its page. */
    void unlink(Table table, int route) {
        RecordSlab data = stores.routes.data;
        int attributes = data.get(route, RouteRecords.ATTRIBUTES);
        int set = stores.set(attributes);
        int key = stores.routes.key(route);
        Keys keys = stores.keys(table.family);
        table.peerView.peer.router.dropOrdinal(stores.routes.session(route), 1);
        countInTrie(table.family, keys, key, -1);
        if (stores.routeLists.remove(keys, key, route)) {
            removeKey(table.family, keys, key);
        }
        stores.attributes.count(set, -1);
        stores.attributes.drop(set);
        dropExtra(attributes);
        changed(route);
    }

    private void countInTrie(int family, Keys keys, int key, int more) {
        if (keys instanceof PrefixKeys prefixes) {
            stores.tries.trieOf(prefixes, key, family).count(prefixes.high(key), more);
        }
    }

    private void removeKey(int family, Keys keys, int key) {
        if (keys instanceof PrefixKeys prefixes) {
            Trie trie = stores.tries.trieOf(prefixes, key, family);
            stores.tries.editor().remove(trie, key, prefixes.high(key), prefixes.low(key), prefixes.length(key));
            stores.reclaimQueue.add(stores.kind(prefixes), key, 0);
        } else {
            stores.exactKeys.unlink(key);
            stores.reclaimQueue.add(ReclaimQueue.BYTES, stores.exactKeys.ref(key), stores.exactKeys.length(key));
            stores.reclaimQueue.add(ReclaimQueue.EXACT_KEY, key, 0);
        }
    }
}
