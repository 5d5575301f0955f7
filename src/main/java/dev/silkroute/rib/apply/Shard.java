package dev.silkroute.rib.apply;

import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.BatchOutcomes;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RouteOutcome;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of the RIB with everything its routes need, written by one thread at a time. Every shard receives every event
 * and keeps the routes whose NLRI maps to it; shards therefore agree about peers and sessions without communicating.
 */
public final class Shard {
    /** Shorter prefixes are all in the first shard. */
    static final int SHARD_BITS_4 = 8;

    public static final int SHARD_BITS_6 = 16;

    /** The number of routes purged before memory is reclaimed. */
    private static final int PURGE_STEP = 256;

    /** The number of evicted routes removed at once, about a tenth of a second's work; batches remove the rest. */
    private static final int EVICTION_STEP = 100_000;

    public final Stores stores;
    public final Registry registry;
    public final RoutePurger purger;
    public final Counter[] outcomes = new Counter[RouteOutcome.values().length];

    private final int index;
    private final int purgeBatch;
    public final PeerEvents peers;
    private final RouteEvents routes;

    public Shard(int index, RibConfig config, Epochs epochs) {
        this.index = index;
        int shards = config.shards();
        purgeBatch = config.purgeBatch();
        stores = new Stores(config.bytes() / shards, config.tables(), epochs);
        registry = new Registry(stores.tables, stores.memory);
        RouteEditor editor = new RouteEditor(stores, registry);
        purger = new RoutePurger(stores, editor);
        peers = new PeerEvents(registry, purger);
        routes = new RouteEvents(index, shards, stores, registry, editor);
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = new Counter();
        }
    }

    /** Returns the shard of a prefix. */
    public static int of(boolean ipv6, long rd, long high, int length, int shards) {
        int bits = ipv6 ? SHARD_BITS_6 : SHARD_BITS_4;
        if (shards == 1 || length < bits) {
            return 0;
        }
        return Integer.remainderUnsigned(KeyedHash.fold(KeyedHash.of(high >>> 64 - bits, rd)), shards);
    }

    public static int of(int exactHash, int shards) {
        return shards == 1 ? 0 : Integer.remainderUnsigned(exactHash >>> 8, shards);
    }

    /**
     * Applies a batch.
     *
     * @param codes receives the outcomes of this shard's events; the elements of others are left alone
     * @param detectPathChanges whether the codes of changed routes contain {@link BatchOutcomes#PATH_CHANGED}
     */
    public void apply(RouteBatch batch, byte[] codes, boolean detectPathChanges) {
        // Purging comes first, so that the sender of a Peer Down does not wait for the purge that it causes.
        purgeRoutes(Math.max(purgeBatch, batch.eventCount()));
        if (routes.lackedRoom() && !purger.pending() && purger.evictLargest(registry)) {
            purgeRoutes(EVICTION_STEP);
        }
        RouterState router = batch.router().isEmpty() ? null : registry.router(batch.router());
        if (router != null) {
            if (router.session().supersedes(batch.sessionId())) {
                ignore(batch, codes);
                return;
            }
            router.address(batch.routerAddress());
        }
        routes.begin(batch, detectPathChanges);
        int events = Math.toIntExact(batch.eventCount());
        for (int i = 0; i < events; i++) {
            int code = apply(batch, router, routes.next(i));
            if (code >= 0) {
                codes[i] = (byte) code;
                outcomes[code & ~BatchOutcomes.PATH_CHANGED].add(1);
            }
        }
        routes.end();
        reclaim();
    }

    /** Ignores a batch of an older session than the router's newest one. */
    private void ignore(RouteBatch batch, byte[] codes) {
        if (index == 0) {
            Arrays.fill(codes, 0, batch.eventCount(), RouteOutcome.IGNORED.code());
            outcomes[RouteOutcome.IGNORED.ordinal()].add(batch.eventCount());
        }
        reclaim();
    }

    /**
     * Purges some routes and reclaims memory.
     *
     * @return whether there is more to purge
     */
    public boolean purge(long most) {
        purgeRoutes(most);
        reclaim();
        return purger.pending();
    }

    /**
     * Purges in small steps: removing a prefix replaces its node, and the old nodes take memory until they are
     * reclaimed.
     */
    private void purgeRoutes(long most) {
        for (long left = most; left > 0 && purger.pending(); left -= PURGE_STEP) {
            purger.purge(Math.min(left, PURGE_STEP));
            stores.reclaim();
        }
    }

    private void reclaim() {
        stores.changedPages.publish();
        stores.attributes.removeUnused();
        stores.reclaim();
    }

    private int apply(RouteBatch batch, @Nullable RouterState router, RouteCursor event) {
        long session = batch.sessionId();
        EventKind kind = event.kind();
        if (kind == EventKind.COLLECTOR_START) {
            registry.collectorStarted(batch.collector(), session, registry.countedFrom(batch.receivedAtMicros()));
            return state();
        }
        if (router == null) {
            return index == 0 ? RouteOutcome.IGNORED.code() : -1;
        }
        if (session > router.sessionId() || !kind.hasPeer()) {
            peers.session(router, kind, batch);
        }
        switch (kind) {
            case ANNOUNCE -> {
                return routes.announce(batch, router, event);
            }
            case WITHDRAW -> {
                return routes.withdraw(batch, router, event);
            }
            case PEER_UP -> peers.up(router, batch.peer(event.peerIndex()), session);
            case PEER_DOWN -> peers.down(router, batch.peer(event.peerIndex()), event.coversAllViews(), session);
            case END_OF_RIB -> peers.endOfRib(router, batch.peer(event.peerIndex()), event.family(), session);
            default -> {}
        }
        return state();
    }

    /** Counts routes that are missing, according to a state that was stored elsewhere, as rejected. */
    public void missing(String router, PeerEntry peer, long count) {
        routes.missing(registry.make(registry.router(router), peer), peer.view(), count);
    }

    /** Announcements rejected because there was no memory or no table for them, since the start. */
    public long rejected() {
        return routes.rejected.get();
    }

    /** Announcements rejected because there was no memory for their peer, since the start. */
    public long rejectedWithoutPeer() {
        return routes.withoutPeer.get();
    }

    /** The outcome of an event that all shards apply; the first one reports it. */
    private int state() {
        return index == 0 ? RouteOutcome.STATE.code() : -1;
    }
}
