package dev.silkroute.rib.apply;

import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.StateTimeouts;
import dev.silkroute.state.TablePhase;
import dev.silkroute.state.ViewPhase;
import java.util.List;

/**
 * Applies events of sessions and peers in one shard. The phases of package {@code state} decide; this class stores them
 * and has the {@link RoutePurger} end or purge the tables that a transition affects. Only the shard's writer calls it.
 */
public final class PeerEvents {
    public static final int ALL_VIEWS = -1;

    private final Registry registry;
    private final RoutePurger purger;

    PeerEvents(Registry registry, RoutePurger purger) {
        this.registry = registry;
        this.purger = purger;
    }

    /** An event of a router's session, before the event itself is applied. */
    void session(RouterState router, EventKind kind, RouteBatch batch) {
        long session = batch.sessionId();
        String collector = batch.collector();
        long start = registry.collectorStart(collector);
        long at = registry.countedFrom(batch.receivedAtMicros());
        RouterSession before = router.session();
        router.moveTo(
                switch (kind) {
                    case SESSION_UP -> before.sessionUp(session, collector, start, at);
                    case SESSION_DOWN -> before.sessionDown(session, collector, at);
                    default -> before.mentioned(session, collector, start, at);
                });
    }

    void up(RouterState router, PeerEntry entry, long session) {
        PeerState peer = registry.find(router, entry);
        if (peer != null) {
            mention(peer, session);
        }
    }

    private static void mention(PeerState peer, long session) {
        for (PeerView view : Registry.views(peer, ALL_VIEWS)) {
            view.moveTo(view.phase().mentioned(session));
        }
    }

    /** A Peer Down. Readers see no route of its views from here on. */
    void down(RouterState router, PeerEntry entry, boolean allViews, long session) {
        PeerState peer = registry.find(router, entry);
        if (peer != null) {
            int which = allViews ? ALL_VIEWS : entry.view().code();
            peer.forgetEndsOfRib(which, session);
            for (PeerView view : Registry.views(peer, which)) {
                moveTo(view, view.phase().peerDown(session));
            }
        }
    }

    /** @return whether the routes of the view have ended */
    private boolean moveTo(PeerView view, ViewPhase next) {
        boolean ends = view.phase().endsRoutes(next);
        view.moveTo(next);
        if (ends) {
            view.rejected.set(0);
            endTables(view);
        }
        return ends;
    }

    private void endTables(PeerView view) {
        for (Table table : view.tables()) {
            purger.end(table, registry);
        }
    }

    /** An End-of-RIB. @param family 0 for all tables of the peer */
    void endOfRib(RouterState router, PeerEntry entry, int family, long session) {
        PeerState peer = registry.make(router, entry); // routes may follow an End-of-RIB of an empty table
        if (peer == null) {
            return;
        }
        mention(peer, session);
        boolean all = family == 0;
        int which = all ? ALL_VIEWS : entry.view().code();
        peer.endOfRib(which, family, session);
        List<PeerView> views = Registry.views(peer, which);
        if (views.stream().noneMatch(view -> view.phase().mayHoldOlderThan(session))) {
            return;
        }
        for (PeerView view : views) {
            for (Table table : view.tables()) {
                TablePhase next = all || table.family == family ? table.phase.endOfRib(session) : table.phase;
                if (next != table.phase) {
                    table.phase = next;
                    purger.purgeOlder(table, session);
                }
            }
        }
    }

    /** Ends the views whose routes have been stale for too long. @return the number of views ended */
    public int expire(long now, long staleMicros, long resyncMicros) {
        StateTimeouts timeouts = new StateTimeouts(staleMicros, resyncMicros);
        registry.checkedTimeouts(now);
        int ended = 0;
        for (RouterState router : registry.routers()) {
            for (PeerState peer : router.peers.values()) {
                for (PeerView view : Registry.views(peer, ALL_VIEWS)) {
                    ended += moveTo(view, view.phase().checked(router.session(), timeouts, now)) ? 1 : 0;
                }
            }
        }
        return ended;
    }

    /** A session has mentioned a view, according to a state that was stored elsewhere. */
    public void observeSession(String router, PeerEntry entry, long session) {
        PeerState peer = registry.make(registry.router(router), entry);
        if (peer != null) {
            PeerView view = peer.makeView(entry.view());
            view.moveTo(view.phase().mentioned(session));
        }
    }

    /** A session has sent End-of-RIB, according to a state that was stored elsewhere. @param family 0 for all */
    public void observeEndOfRib(String router, PeerEntry entry, int family, long session) {
        PeerState peer = registry.make(registry.router(router), entry);
        if (peer != null) {
            peer.endOfRib(entry.view().code(), family, session);
        }
    }

    /**
     * Ends every table and forgets all sessions. Empty tables end too, so that a purge in progress does not touch
     * routes that are added later.
     */
    public void clear() {
        for (PeerState peer : registry.peers()) {
            peer.forgetEndsOfRib(ALL_VIEWS, Long.MAX_VALUE);
            for (PeerView view : Registry.views(peer, ALL_VIEWS)) {
                endTables(view);
                view.reset();
            }
        }
        registry.reset();
    }
}
