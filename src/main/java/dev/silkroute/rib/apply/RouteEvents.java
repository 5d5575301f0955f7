package dev.silkroute.rib.apply;

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
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What events say of single routes, in one shard: announcements and withdrawals. The writer's. */
final class RouteEvents {
    /** Announcements that there was no memory or no table for. */
    final Counter refused = new Counter();

    private final int number;
    private final int shards;
    private final Stores stores;
    private final Registry registry;
    private final RouteEditor editor;
    private final EventPrefetcher ahead;
    private final ByteSink key = new ByteSink();

    // What the batch's tables are here, as far as events have asked.
    private final BatchSets sets;
    private @Nullable PeerView[] sides = new PeerView[64];

    private boolean ways;
    /** The key that {@link EventPrefetcher} has found for the event. */
    private int hint;

    /** @param number of the shard, of so many */
    RouteEvents(int number, int shards, Stores stores, Registry registry, RouteEditor editor) {
        this.number = number;
        this.shards = shards;
        this.stores = stores;
        this.registry = registry;
        this.editor = editor;
        sets = new BatchSets(stores.attributes);
        ahead = new EventPrefetcher(number, shards, stores, sets);
    }

    /** @param tellWays whether codes of changed routes say if their way has changed */
    void begin(RouteBatch batch, boolean tellWays) {
        ways = tellWays;
        if (sides.length < batch.peerCount()) {
            sides = new PeerView[Math.max(batch.peerCount(), sides.length * 2)];
        }
        Arrays.fill(sides, 0, batch.peerCount(), null);
        sets.begin(batch);
        ahead.begin(batch);
    }

    /** An event of the batch, whose turn has come, whatever it is. */
    RouteCursor reach(int event) {
        RouteCursor reached = ahead.reach(event);
        hint = ahead.key(event);
        return reached;
    }

    void end() {
        ahead.end();
        sets.end();
    }

    private @Nullable PeerView side(RouteBatch batch, RouterState router, RouteCursor event, boolean make) {
        int index = event.peerIndex();
        PeerView side = sides[index];
        if (side == null) {
            PeerEntry entry = batch.peer(index);
            PeerState peer = make ? registry.make(router, entry) : registry.find(router, entry);
            if (peer != null) {
                side = make
                        ? peer.makeView(entry.view())
                        : peer.view(entry.view().code());
                sides[index] = side;
            }
        }
        return side;
    }

    /** The key of the event's NLRI, 0 if there is none; -1 if it is another shard's. */
    private int find(int family, NlriReader nlri, byte[] bytes) {
        if (!nlri.isPrefix()) {
            key.reset();
            NlriKey.write(family, bytes, nlri.from(), nlri.to(), key);
            int hash = ExactKeys.hash(family, key.array(), key.position());
            return Shard.of(hash, shards) != number ? -1 : stores.exact.find(family, hash, key.array(), key.position());
        }
        long high = high(nlri);
        if (Shard.of(nlri.ipv6(), nlri.rd(), high, nlri.prefixLength(), shards) != number) {
            return -1;
        }
        Trie trie = stores.tries.find(family, nlri.rd());
        if (trie == null) {
            return 0;
        }
        // Keys that go are used again after the batch, not before.
        boolean there = hint != 0 && trie.keys.entry(hint) != 0;
        return there ? hint : trie.find(high, low(nlri), nlri.prefixLength());
    }

    static long high(NlriReader nlri) {
        return nlri.ipv6() ? nlri.addressHigh() : nlri.addressLow() << 32;
    }

    static long low(NlriReader nlri) {
        return nlri.ipv6() ? nlri.addressLow() : 0;
    }

    /** @return the outcome's code, -1 if the route is another shard's */
    int withdraw(RouteBatch batch, RouterState router, RouteCursor event) {
        int found = find(event.family(), event.nlri(), batch.bytes());
        if (found < 0) {
            return -1;
        }
        PeerView side = side(batch, router, event, false);
        if (side == null) {
            return RouteOutcome.UNKNOWN.code();
        }
        if (side.session > batch.sessionId()) {
            return RouteOutcome.IGNORED.code();
        }
        Table table = side.table(event.family());
        int route = found == 0 || table == null ? 0 : route(table, found, event.nlri());
        if (route == 0 || table == null) {
            return RouteOutcome.UNKNOWN.code();
        }
        editor.remove(table, route);
        return RouteOutcome.WITHDRAWN.code();
    }

    private int route(Table table, int found, NlriReader nlri) {
        return stores.chains.find(editor.keys(table.family), found, table, nlri.hasPathId(), nlri.pathId());
    }

    /** @return the outcome's code, -1 if the route is another shard's */
    int announce(RouteBatch batch, RouterState router, RouteCursor event) {
        PeerView side = side(batch, router, event, true);
        if (side == null) {
            throw new IllegalStateException("no peer was made");
        }
        side.announced(batch.sessionId());
        NlriReader nlri = event.nlri();
        int family = event.family();
        int found = find(family, nlri, batch.bytes());
        if (found < 0) {
            return -1;
        }
        if (side.session > batch.sessionId()) {
            return RouteOutcome.IGNORED.code();
        }
        Table table = registry.table(side, family);
        if (table == null) {
            side.refused.add(1);
            refused.add(1);
            return RouteOutcome.REFUSED.code();
        }
        int route = found == 0 ? 0 : route(table, found, nlri);
        int set = set(batch, table, event);
        if (set == 0) {
            return refuse(table, route);
        }
        boolean more = stores.extras.compose(set, event.marking(), nlri, whole(nlri, batch.bytes()));
        if (route != 0) {
            return again(table, route, nlri.rd(), set, more);
        }
        if (!stores.room(
                table,
                nlri.rd(),
                nlri.hasPathId(),
                0,
                more ? stores.extras.composed() : 0,
                nlri.isPrefix() ? 0 : key.position())) {
            return refuse(table, 0);
        }
        add(table, found, nlri, more ? ~stores.extras.store() : set);
        return RouteOutcome.NEW.code();
    }

    private int again(Table table, int route, long rd, int set, boolean more) {
        int before = stores.routes.data.get(route, RouteRecords.ATTRIBUTES);
        boolean same = before > 0 ? !more && before == set : more && stores.extras.same(~before);
        int way = 0;
        if (!same) {
            way = ways && !stores.attributes.sameWay(editor.set(before), set) ? BatchOutcomes.OTHER_WAY : 0;
            if (more && !stores.room(table, rd, false, 0, stores.extras.composed(), 0)) {
                return refuse(table, route);
            }
            editor.change(route, more ? ~stores.extras.store() : set);
        }
        boolean confirmed = editor.confirm(table, route);
        return way | (same ? confirmed ? RouteOutcome.CONFIRMED : RouteOutcome.UNCHANGED : RouteOutcome.CHANGED).code();
    }

    private int refuse(Table table, int route) {
        if (route != 0) {
            editor.remove(table, route);
        }
        table.refused.add(1);
        refused.add(1);
        return RouteOutcome.REFUSED.code();
    }

    /** The NLRI's bytes where the key, which {@link #find} has just made, is not all of them. */
    private byte @Nullable [] whole(NlriReader nlri, byte[] bytes) {
        return nlri.isPrefix() || Arrays.equals(key.array(), 0, key.position(), bytes, nlri.from(), nlri.to())
                ? null
                : bytes;
    }

    /** @return 0 if there is no memory for it, or it is longer than any set can be */
    private int set(RouteBatch batch, Table table, RouteCursor event) {
        int index = event.attributeSet();
        int set = sets.find(index);
        if (set != 0) {
            return set;
        }
        int length = batch.attributesTo(index) - batch.attributesFrom(index);
        return length <= AttributeStore.LONGEST
                        && stores.room(table, event.nlri().rd(), false, length, 0, 0)
                ? sets.add(index)
                : 0;
    }

    private void add(Table table, int found, NlriReader nlri, int attributes) {
        int family = table.family;
        if (found != 0) {
            editor.add(table, editor.keys(family), found, nlri, attributes);
        } else if (!nlri.isPrefix()) {
            int hash = ExactKeys.hash(family, key.array(), key.position());
            int made = stores.exact.claim(family, hash, key);
            editor.add(table, stores.exact, made, nlri, attributes);
            stores.exact.link(made);
        } else {
            Trie trie = stores.tries.make(family, nlri.rd());
            PrefixKeys keys = stores.tries.keys(family);
            int length = nlri.prefixLength();
            int made = keys.claim(trie.id, high(nlri), low(nlri), length);
            editor.add(table, keys, made, nlri, attributes);
            stores.tries.editor().insert(trie, made, high(nlri), low(nlri), length);
        }
    }
}
