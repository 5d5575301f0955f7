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
 * Puts the events of a snapshot into batches: of one router's session each, of at most {@value #EVENTS} events. What is said of a router
 * that has no session is left out. Not thread-safe.
 */
final class SnapshotBatches {
    /** So many rows and attribute sets are in memory at a time. */
    private static final int EVENTS = 2_000;

    private final Map<Integer, Router> routers = new HashMap<>();
    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final Consumer<RouteBatch> listener;

    private int router;
    private long session;
    private boolean open;

    /** A router, and its newest session. */
    record Router(String name, String address, String collector, long session, boolean live, long changedAt) {}

    SnapshotBatches(Consumer<RouteBatch> listener) {
        this.listener = listener;
    }

    /** All routers are known before anything is said of them. */
    void router(int id, Router known) {
        routers.put(id, known);
    }

    @Nullable
    Router router(int id) {
        return routers.get(id);
    }

    /** A batch by itself: the collector's newest start. */
    void collectorStart(String collector, long start, long startedAt) {
        builder.begin(collector, "", "", start, startedAt);
        builder.event(EventKind.COLLECTOR_START, -1, 0, false, 0, 0);
        emit();
    }

    void announcement(int routerId, long sessionId, PeerEntry of, NlriColumns nlri, byte[] attributes, long marking) {
        if (!turnTo(routerId, sessionId)) {
            return;
        }
        int peer = builder.peer(of);
        int set = builder.attributeSet(attributes, 0, attributes.length);
        builder.group(peer, nlri.family())
                .pathIds(nlri.hasPathId())
                .marking(marking)
                .announce(set, 1, nlri.array(), 0, nlri.length());
        closeIfFull();
    }

    void endOfRib(int routerId, long sessionId, PeerEntry of, int family, boolean allViews) {
        if (turnTo(routerId, sessionId)) {
            builder.event(EventKind.END_OF_RIB, builder.peer(of), family, allViews, 0, 0);
            closeIfFull();
        }
    }

    /** A batch by itself for each router: whether its newest session is under way. */
    void newestSessions() {
        for (Router of : routers.values()) {
            builder.begin(of.collector, of.name, of.address, of.session, of.changedAt);
            builder.event(of.live ? EventKind.SESSION_UP : EventKind.SESSION_DOWN, -1, 0, false, 0, 0);
            emit();
        }
    }

    /** Begins a batch of a router's session where the one under way is of another. @return false: nothing is known of its sessions */
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

    /** What is said next begins a batch. */
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
