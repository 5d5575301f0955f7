package dev.silkroute.rib.apply;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.rib.BatchOutcomes;
import dev.silkroute.rib.RouteOutcome;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.rib.store.ExactKeys;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Applies announcements and withdrawals to one shard. Used by the writer only. */
final class RouteEvents {
    /** Announcements rejected because there was no memory or no table for them, or not loaded, since the start. */
    final Counter rejected = new Counter();

    private final int shardIndex;
    private final int shards;
    private final Stores stores;
    private final Registry registry;
    private final RouteEditor editor;
    private final EventPrefetcher prefetcher;
    private final ByteSink keyBytes = new ByteSink();

    // The batch's attribute sets and views of peers in this shard, as far as events have needed them
    private final BatchAttributeSets sets;
    private @Nullable PeerView[] peerViews = new PeerView[64];

    /** Announcements rejected because there was no memory for their peer, since the start. */
    final Counter withoutPeer = new Counter();

    private boolean lackedRoom;
    private boolean detectPathChanges;
    /** The key that {@link EventPrefetcher} has found for the event. */
    private int prefetchedKey;

    /**
     * @param shardIndex the shard whose routes are applied
     * @param shards the number of shards
     */
    RouteEvents(int shardIndex, int shards, Stores stores, Registry registry, RouteEditor editor) {
        this.shardIndex = shardIndex;
        this.shards = shards;
        this.stores = stores;
        this.registry = registry;
        this.editor = editor;
        sets = new BatchAttributeSets(stores.attributes);
        prefetcher = new EventPrefetcher(shardIndex, shards, stores, sets);
    }

    /**
     * Starts a batch.
     *
     * @param detectPathChanges whether the codes of changed routes contain {@link BatchOutcomes#PATH_CHANGED}
     */
    void begin(RouteBatch batch, boolean detectPathChanges) {
        this.detectPathChanges = detectPathChanges;
        if (peerViews.length < batch.peerCount()) {
            peerViews = new PeerView[Math.max(batch.peerCount(), peerViews.length * 2)];
        }
        Arrays.fill(peerViews, 0, batch.peerCount(), null);
        sets.begin(batch);
        prefetcher.begin(batch);
    }

    /** Returns the next event of the batch, of any kind. */
    RouteCursor next(int event) {
        RouteCursor reached = prefetcher.event(event);
        prefetchedKey = prefetcher.key(event);
        return reached;
    }

    void end() {
        prefetcher.end();
        sets.end();
    }

    /** Counts routes that are missing from the beginning as rejected. @param peer null without memory for it */
    void missing(@Nullable PeerState peer, RibView view, long count) {
        if (peer == null) {
            withoutPeer.add(count);
        } else {
            peer.makeView(view).rejected.add(count);
        }
        rejected.add(count);
    }

    /** Returns whether announcements were rejected for lack of memory since the last call. */
    boolean lackedRoom() {
        boolean lacked = lackedRoom;
        lackedRoom = false;
        return lacked;
    }

    private @Nullable PeerView peerView(RouteBatch batch, RouterState router, RouteCursor event, boolean make) {
        int index = event.peerIndex();
        PeerView peerView = peerViews[index];
        if (peerView == null) {
            PeerEntry entry = batch.peer(index);
            PeerState peer = make ? registry.make(router, entry) : registry.find(router, entry);
            if (peer != null) {
                if (make) {
                    peer.role = batch.neighborRole(index).orElse(null);
                }
                peerView = make
                        ? peer.makeView(entry.view())
                        : peer.view(entry.view().code());
                peerViews[index] = peerView;
            }
        }
        return peerView;
    }

    /** Returns the key of the event's NLRI, 0 if the shard has none, -1 if the NLRI belongs to another shard. */
    private int find(int family, NlriReader nlri, byte[] bytes) {
        if (!nlri.isPrefix()) {
            keyBytes.reset();
            NlriKey.write(family, bytes, nlri.from(), nlri.to(), keyBytes);
            int hash = ExactKeys.hash(family, keyBytes.array(), keyBytes.position());
            return Shard.of(hash, shards) != shardIndex
                    ? -1
                    : stores.exactKeys.find(family, hash, keyBytes.array(), keyBytes.position());
        }
        long high = addressHigh(nlri);
        if (Shard.of(nlri.ipv6(), nlri.rd(), high, nlri.prefixLength(), shards) != shardIndex) {
            return -1;
        }
        Trie trie = stores.tries.find(family, nlri.rd());
        if (trie == null) {
            return 0;
        }
        // Keys are reused only after the batch, so one that still has routes is the prefix's.
        boolean there = prefetchedKey != 0 && trie.keys.hasRoutes(prefetchedKey);
        return there ? prefetchedKey : trie.find(high, addressLow(nlri), nlri.prefixLength());
    }

    static long addressHigh(NlriReader nlri) {
        return nlri.ipv6() ? nlri.addressHigh() : nlri.addressLow() << 32;
    }

    static long addressLow(NlriReader nlri) {
        return nlri.ipv6() ? nlri.addressLow() : 0;
    }

    /**
     * Applies a withdrawal.
     *
     * @return the outcome's code, -1 if the route belongs to another shard
     */
    int withdraw(RouteBatch batch, RouterState router, RouteCursor event) {
        int found = find(event.family(), event.nlri(), batch.bytes());
        if (found < 0) {
            return -1;
        }
        PeerView peerView = peerView(batch, router, event, false);
        if (peerView == null) {
            return RouteOutcome.UNKNOWN.code();
        }
        if (peerView.session > batch.sessionId()) {
            return RouteOutcome.IGNORED.code();
        }
        Table table = peerView.table(event.family());
        int route = found == 0 || table == null ? 0 : route(stores.keys(table.family), table, found, event.nlri());
        if (route == 0 || table == null) {
            return RouteOutcome.UNKNOWN.code();
        }
        editor.remove(table, route);
        return RouteOutcome.WITHDRAWN.code();
    }

    private int route(Keys keys, Table table, int found, NlriReader nlri) {
        return stores.routeLists.find(keys, found, table, nlri.hasPathId(), nlri.pathId());
    }

    /**
     * Applies an announcement.
     *
     * @return the outcome's code, -1 if the route belongs to another shard
     */
    int announce(RouteBatch batch, RouterState router, RouteCursor event) {
        PeerView peerView = peerView(batch, router, event, true);
        if (peerView != null) {
            peerView.announced(batch.sessionId());
        }
        NlriReader nlri = event.nlri();
        int family = event.family();
        int found = find(family, nlri, batch.bytes());
        if (found < 0) {
            return -1;
        }
        if (peerView == null) {
            lackedRoom = true;
            withoutPeer.add(1);
            rejected.add(1);
            return RouteOutcome.REJECTED.code();
        }
        if (peerView.session > batch.sessionId()) {
            return RouteOutcome.IGNORED.code();
        }
        Table table = registry.table(peerView, family);
        if (table == null) {
            peerView.rejected.add(1);
            rejected.add(1);
            return RouteOutcome.REJECTED.code();
        }
        Keys keys = stores.keys(family);
        int route = found == 0 ? 0 : route(keys, table, found, nlri);
        if (table.evictedIn == batch.sessionId()) {
            return reject(table, route);
        }
        int set = set(batch, table, event);
        if (set == 0) {
            lackedRoom = true;
            return reject(table, route);
        }
        boolean more = stores.extras.compose(set, event.marking(), nlri, fullNlri(nlri, batch.bytes()));
        if (route != 0) {
            return reannounce(table, keys, found, route, nlri.rd(), set, more);
        }
        if (!stores.hasRoom(
                table,
                nlri.rd(),
                nlri.hasPathId(),
                0,
                more ? stores.extras.composed() : 0,
                nlri.isPrefix() ? 0 : keyBytes.position())) {
            lackedRoom = true;
            return reject(table, 0);
        }
        add(table, keys, found, nlri, more ? ~stores.extras.store() : set);
        return RouteOutcome.NEW.code();
    }

    private int reannounce(Table table, Keys keys, int key, int route, long rd, int set, boolean more) {
        int before = stores.routes.data.get(route, RouteRecords.ATTRIBUTES);
        boolean same = before > 0 ? !more && before == set : more && stores.extras.same(~before);
        int session = table.peerView.ordinal();
        boolean confirms = stores.routes.session(route) != session;
        if (confirms && !stores.routes.canSetSession(route, session)) {
            lackedRoom = true;
            return reject(table, route);
        }
        int pathChange = 0;
        if (!same) {
            pathChange = detectPathChanges && !stores.attributes.samePathAndNextHop(stores.set(before), set)
                    ? BatchOutcomes.PATH_CHANGED
                    : 0;
            if (more && !stores.hasRoom(table, rd, false, 0, stores.extras.composed(), 0)) {
                return reject(table, route);
            }
            editor.change(keys, key, route, more ? ~stores.extras.store() : set);
        }
        if (confirms) {
            editor.confirm(table, route);
        }
        return pathChange
                | (same ? confirms ? RouteOutcome.CONFIRMED : RouteOutcome.UNCHANGED : RouteOutcome.CHANGED).code();
    }

    private int reject(Table table, int route) {
        if (route != 0) {
            editor.remove(table, route);
        }
        table.rejected.add(1);
        rejected.add(1);
        return RouteOutcome.REJECTED.code();
    }

    /**
     * Returns the bytes of an NLRI whose key, made by the preceding {@link #find}, is only a part of it; null for
     * others.
     */
    private byte @Nullable [] fullNlri(NlriReader nlri, byte[] bytes) {
        return nlri.isPrefix() || Arrays.equals(keyBytes.array(), 0, keyBytes.position(), bytes, nlri.from(), nlri.to())
                ? null
                : bytes;
    }

    /** Returns the id of the event's attribute set; 0 if there is no memory for it or it exceeds the maximum length. */
    private int set(RouteBatch batch, Table table, RouteCursor event) {
        int index = event.attributeSet();
        int set = sets.find(index);
        if (set != 0) {
            return set;
        }
        int length = batch.attributesTo(index) - batch.attributesFrom(index);
        return length <= AttributeStore.MAX_BYTES
                        && stores.hasRoom(table, event.nlri().rd(), false, length, 0, 0)
                ? sets.add(index)
                : 0;
    }

    private void add(Table table, Keys keys, int found, NlriReader nlri, int attributes) {
        int family = table.family;
        if (found != 0) {
            editor.add(table, keys, found, nlri, attributes);
        } else if (!nlri.isPrefix()) {
            int hash = ExactKeys.hash(family, keyBytes.array(), keyBytes.position());
            int made = stores.exactKeys.claim(family, hash, keyBytes);
            editor.add(table, stores.exactKeys, made, nlri, attributes);
            stores.exactKeys.link(made);
        } else {
            Trie trie = stores.tries.getOrCreate(family, nlri.rd());
            int length = nlri.prefixLength();
            int made = trie.keys.claim(trie.id, addressHigh(nlri), addressLow(nlri), length);
            editor.add(table, trie.keys, made, nlri, attributes);
            stores.tries.editor().insert(trie, made, addressHigh(nlri), addressLow(nlri), length);
        }
    }
}
