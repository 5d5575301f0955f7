package dev.silkroute.rib.apply;

import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.RouterState;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.route.PeerEntry;
import java.util.List;

/** What is said of peers and of their tables as a whole, by routers and by time, in one shard. The writer's. */
public final class PeerEvents {
    public static final int ALL_VIEWS = -1;

    private final Registry registry;
    private final RoutePurger sweeper;

    PeerEvents(Registry registry, RoutePurger sweeper) {
        this.registry = registry;
        this.sweeper = sweeper;
    }

    /** A Peer Up: the session has spoken of the peer. */
    void up(RouterState router, PeerEntry entry, long session) {
        PeerState peer = registry.find(router, entry);
        if (peer != null) {
            heard(peer, session);
        }
    }

    /** A session has spoken of a peer. */
    private static void heard(PeerState peer, long session) {
        for (PeerView side : Registry.views(peer, ALL_VIEWS)) {
            side.hear(session);
        }
    }

    /** A Peer Down: readers see no route of the peer any more. */
    void down(RouterState router, PeerEntry entry, boolean allViews, long session) {
        PeerState peer = registry.find(router, entry);
        if (peer == null) {
            return;
        }
        for (PeerView side :
                Registry.views(peer, allViews ? ALL_VIEWS : entry.view().code())) {
            if (!side.blank && side.session <= session) {
                end(side, session);
            }
        }
    }

    private void end(PeerView side, long session) {
        side.blank = true;
        side.hear(session);
        side.refused.set(0);
        for (Table table : side.tables()) {
            sweeper.end(table, registry);
        }
    }

    /** An End-of-RIB: what older sessions have said of the tables, and this one has not, is to go. */
    void endOfRib(RouterState router, PeerEntry entry, int family, long session) {
        PeerState peer = registry.find(router, entry);
        if (peer == null) {
            return;
        }
        heard(peer, session);
        boolean all = family == 0;
        List<PeerView> views =
                Registry.views(peer, all ? ALL_VIEWS : entry.view().code());
        if (views.stream().allMatch(v -> v.blank || v.since >= session || v.session > session)) {
            return;
        }
        for (PeerView side : views) {
            for (Table table : side.tables()) {
                if ((all || table.family == family) && table.synced < session) {
                    table.synced = session;
                    sweeper.older(table, session);
                }
            }
        }
    }

    /** Ends tables of routers that are away for too long, and of peers that a router's live session doesn't mention. @return tables ended */
    public int expire(long now, long awayMicros, long unmentionedMicros) {
        registry.lookedAt(now);
        int ended = 0;
        for (RouterState router : registry.routers()) {
            for (PeerState peer : router.peers.values()) {
                for (PeerView side : Registry.views(peer, ALL_VIEWS)) {
                    boolean away = !router.up() && router.changedAt() < now - awayMicros;
                    boolean unmentioned = router.up()
                            && side.session < router.session()
                            && router.changedAt() < now - unmentionedMicros;
                    if (!side.blank && (away || unmentioned)) {
                        end(side, side.session);
                        ended++;
                    }
                }
            }
        }
        return ended;
    }

    public void heard(String router, PeerEntry entry, long session) {
        registry.make(registry.router(router), entry).makeView(entry.view()).hear(session);
    }

    /** Ends every table, blank ones too so that no slice of an older one meets what comes; and forgets what was said of sessions. */
    public void clear() {
        for (PeerState peer : registry.peers()) {
            for (PeerView side : Registry.views(peer, ALL_VIEWS)) {
                for (Table table : side.tables()) {
                    sweeper.end(table, registry);
                }
                side.forget();
            }
        }
        registry.forget();
    }
}
