package dev.silkroute.postgres.state;

import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Groups the events of a snapshot into batches of one router's session each and of at most {@value #EVENTS} events.
 * Events of a router without a session are dropped. Not thread-safe.
 */
final class SnapshotBatches {
    /** Limits the number of rows and attribute sets in memory. */
    private static final int EVENTS = 2_000;

    private final Map<Integer, Router> routers = new HashMap<>();
    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final PeerColumns peers;
    private final Consumer<RouteBatch> listener;

    private int router;
    private long session;
    private boolean open;

    /** A router, and its newest session. */
    record Router(String name, String address, String collector, long session, boolean live, long changedAt) {
        private Router withoutSession() {
            return new Router(name, address, collector, session, false, changedAt);
        }
    }

    /** @param peers the source of the peers and their roles */
    SnapshotBatches(PeerColumns peers, Consumer<RouteBatch> listener) {
        this.peers = peers;
        this.listener = listener;
    }

    /** Adds a router; all routers are added before their events. */
    void router(int id, Router known) {
        routers.put(id, known);
    }

    @Nullable
    Router router(int id) {
        return routers.get(id);
    }

    /** Has the routes of a router count as stale, until it begins another session. */
    void markStale(int id) {
        routers.computeIfPresent(id, (_, known) -> known.withoutSession());
    }

    /** Returns the name of the router whose batch is open or was emitted last, for messages. */
    String currentRouter() {
        Router known = routers.get(router);
        return known == null ? "unknown" : known.name;
    }

    /** Emits the newest start of a collector, in a batch of its own. */
    void collectorStart(String collector, long start, long startedAt) {
        builder.begin(collector, "", "", start, startedAt);
        builder.event(EventKind.COLLECTOR_START, -1, 0, false, 0, 0);
        emit();
    }

    void announcement(int routerId, long sessionId, PeerEntry of, NlriColumns nlri, byte[] attributes, long marking) {
        if (!turnTo(routerId, sessionId)) {
            return;
        }
        int peer = builder.peer(of, peers.role(of));
        int set = builder.attributeSet(attributes, 0, attributes.length);
        builder.group(peer, nlri.family())
                .pathIds(nlri.hasPathId())
                .marking(marking)
                .announce(set, 1, nlri.array(), 0, nlri.length());
        closeIfFull();
    }

    void endOfRib(int routerId, long sessionId, PeerEntry of, int family, boolean allViews) {
        if (turnTo(routerId, sessionId)) {
            builder.event(EventKind.END_OF_RIB, builder.peer(of, peers.role(of)), family, allViews, 0, 0);
            closeIfFull();
        }
    }

    /** Emits for each router whether its newest session is live, in a batch of its own. */
    void newestSessions() {
        for (Router of : routers.values()) {
            builder.begin(of.collector, of.name, of.address, of.session, of.changedAt);
            builder.event(of.live ? EventKind.SESSION_UP : EventKind.SESSION_DOWN, -1, 0, false, 0, 0);
            emit();
        }
    }

    /**
     * Begins a batch if the current one belongs to another session.
     *
     * @return false if the router has no session
     */
    private boolean turnTo(int routerId, long sessionId) {
        Router of = routers.get(routerId);
        if (of == null) {
            return false;
        }
        if (!open || router != routerId || session != sessionId) {
            close();
            builder.begin(of.collector, of.name, of.address, sessionId, of.changedAt);
            router = routerId;
            session = sessionId;
            open = true;
        }
        return true;
    }

    private void closeIfFull() {
        if (builder.eventCount() >= EVENTS) {
            close();
        }
    }

    /** Completes the current batch. */
    void close() {
        if (open && !builder.isEmpty()) {
            emit();
        }
        open = false;
    }

    private void emit() {
        listener.accept(RouteBatch.read(builder.build()));
    }
}
