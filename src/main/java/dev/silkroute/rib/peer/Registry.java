package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.StateTimeouts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Routers, peers and tables of a shard, made as events need them, and the counters over them. */
public final class Registry {
    private static final int MAX_ENTRIES = 1 << 16;

    // Heap of an entry in bytes, with what refers to it, as heap dumps show it
    private static final int ROUTER_BYTES = 1024;
    private static final int PEER_BYTES = 768;
    private static final int TABLE_BYTES = 512;

    private record ViewFamilyKey(RibView view, int family) {}

    private final Tables tables;
    private final Map<String, RouterState> routers = new ConcurrentHashMap<>();
    private final Map<RibPeer, PeerState> peers = new ConcurrentHashMap<>();
    private final Map<ViewFamilyKey, ViewFamily> viewFamilies = new ConcurrentHashMap<>();
    /** Session ID of the latest start of each collector. */
    private final Map<String, Long> collectorStarts = new HashMap<>();
    /** The time of the last check of timeouts, in microseconds since 1970. */
    private long lastCheck = Long.MIN_VALUE;

    /** Routes, by the code of the view. */
    public final Counter[] byView = new Counter[RibView.values().length];

    public final Counter routes = new Counter();

    private final MemoryBudget memory;

    public Registry(Tables tables, MemoryBudget memory) {
        this.tables = tables;
        this.memory = memory;
        for (int i = 0; i < byView.length; i++) {
            byView[i] = new Counter();
        }
    }

    public RouterState router(String name) {
        RouterState router = routers.get(name);
        if (router == null) {
            router = new RouterState(name);
            routers.put(name, router);
            memory.reserve(ROUTER_BYTES + 2L * name.length());
        }
        return router;
    }

    public Collection<RouterState> routers() {
        return routers.values();
    }

    /** Session ID of the collector's latest start, {@link RouterSession#NONE} if unknown. */
    public long collectorStart(String collector) {
        return collectorStarts.getOrDefault(collector, RouterSession.NONE);
    }

    /** A collector has started. @param at time of the event */
    public void collectorStarted(String collector, long session, long at) {
        collectorStarts.merge(collector, session, Math::max);
        for (RouterState router : routers.values()) {
            router.moveTo(router.session().collectorStarted(collector, session, at));
        }
    }

    /** Records that timeouts have been checked, in microseconds since 1970. */
    public void checkedTimeouts(long now) {
        lastCheck = now;
    }

    /** Returns from when on time counts for an event, see {@link StateTimeouts#countedFrom}. */
    public long countedFrom(long at) {
        return StateTimeouts.countedFrom(at, lastCheck);
    }

    /** Forgets all sessions, starts of collectors and the last check of timeouts. */
    public void reset() {
        lastCheck = Long.MIN_VALUE;
        collectorStarts.clear();
        routers.values().forEach(RouterState::reset);
    }

    /** The peer of an entry if it is known. */
    @Nullable
    public PeerState find(RouterState router, PeerEntry entry) {
        PeerState known = router.entries.get(entry);
        return known != null ? known : router.peers.get(RibPeer.of(router.name, entry));
    }

    /** Returns the peer of an entry, added if it is new; null if there is no memory for it. */
    public @Nullable PeerState make(RouterState router, PeerEntry entry) {
        PeerState known = router.entries.get(entry);
        if (known != null) {
            return known;
        }
        RibPeer identity = RibPeer.of(router.name, entry);
        PeerState peer = router.peers.get(identity);
        if (peer == null) {
            if (memory.available() < PEER_BYTES + TABLE_BYTES) {
                return null;
            }
            memory.reserve(PEER_BYTES);
            peer = new PeerState(identity, router);
            router.peers.put(identity, peer);
            peers.put(identity, peer);
        }
        peer.asn = entry.asn();
        if (router.entries.size() >= MAX_ENTRIES) {
            router.entries.clear();
        }
        router.entries.put(entry, peer);
        return peer;
    }

    @Nullable
    public PeerState peer(RibPeer identity) {
        return peers.get(identity);
    }

    public Collection<PeerState> peers() {
        return peers.values();
    }

    /** @return null if there are as many tables as may be */
    @Nullable
    public Table table(PeerView peerView, int family) {
        Table table = peerView.table(family);
        if (table == null && tables.hasRoom() && memory.available() >= TABLE_BYTES) {
            table = new Table(
                    tables.next(),
                    peerView,
                    family,
                    viewFamilies.computeIfAbsent(
                            new ViewFamilyKey(peerView.view, family), key -> new ViewFamily(key.view, key.family)));
            table.completeIn(peerView.peer.endOfRib(peerView.view, family));
            tables.add(table);
            peerView.add(table);
            memory.reserve(TABLE_BYTES);
        }
        return table;
    }

    public Collection<ViewFamily> viewFamilies() {
        return viewFamilies.values();
    }

    public long routes(RibView view, int family) {
        ViewFamily viewFamily = viewFamilies.get(new ViewFamilyKey(view, family));
        return viewFamily == null ? 0 : viewFamily.routes.get();
    }

    /** Counts routes of a table. */
    public void count(Table table, long more) {
        table.routes.add(more);
        table.viewFamily.routes.add(more);
        table.peerView.peer.routes.add(more);
        table.peerView.peer.router.routes.add(more);
        byView[table.view.code()].add(more);
        routes.add(more);
    }

    /** The peer's tables in a view, or in all. */
    public static List<PeerView> views(PeerState peer, int viewOrAll) {
        List<PeerView> views = new ArrayList<>(1);
        for (int code = 0; code < RibView.values().length; code++) {
            PeerView peerView = viewOrAll < 0 || viewOrAll == code ? peer.view(code) : null;
            if (peerView != null) {
                views.add(peerView);
            }
        }
        return views;
    }
}
