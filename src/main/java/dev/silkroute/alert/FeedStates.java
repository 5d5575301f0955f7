package dev.silkroute.alert;

import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.state.RouterSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The newest session of each router, by which routes are current or stale. Not thread-safe. */
final class FeedStates {
    private final Map<String, RouterSession> sessions = new TreeMap<>();
    private final Map<String, Long> collectorStarts = new TreeMap<>();
    private final boolean repeatsMissing;

    /**
     * @param repeatsMissing whether the records lack what a session repeats unchanged, see {@link
     *     AlertEngine#ofHistory}
     */
    FeedStates(boolean repeatsMissing) {
        this.repeatsMissing = repeatsMissing;
    }

    void clear() {
        sessions.clear();
        collectorStarts.clear();
    }

    /**
     * Takes over the start of a collector.
     *
     * @return the routers whose sessions have ended by it
     */
    List<String> collectorStarted(RouteBatch batch) {
        long start = collectorStarts.merge(batch.collector(), batch.sessionId(), Math::max);
        List<String> ended = new ArrayList<>();
        sessions.replaceAll((router, before) -> {
            RouterSession after = before.collectorStarted(batch.collector(), start, batch.receivedAtMicros());
            if (before.isUp() && !after.isUp()) {
                ended.add(router);
            }
            return after;
        });
        return ended;
    }

    /** Returns whether a batch is of the newest session of its router, or of a newer one; older ones change nothing. */
    boolean isNewest(RouteBatch batch) {
        return batch.sessionId() >= of(batch.router()).id();
    }

    /**
     * Takes over what an event reports about its session.
     *
     * @return whether the routes of the router have become stale, or its session is another one
     */
    boolean observe(RouteBatch batch, EventKind kind) {
        RouterSession before = of(batch.router());
        long start = collectorStarts.getOrDefault(batch.collector(), RouterSession.NONE);
        long at = batch.receivedAtMicros();
        RouterSession after = switch (kind) {
            case SESSION_UP -> before.sessionUp(batch.sessionId(), batch.collector(), start, at);
            case SESSION_DOWN -> before.sessionDown(batch.sessionId(), batch.collector(), at);
            default -> before.mentioned(batch.sessionId(), batch.collector(), start, at);
        };
        sessions.put(batch.router(), after);
        return after.id() != before.id() || after.isUp() != before.isUp();
    }

    /** Returns whether the session that has announced or confirmed a route is up. */
    boolean isCurrent(TrackedRoute route) {
        RouterSession session = of(route.evidence().vantagePoint().router());
        return session.isUp() && (session.id() == route.sessionId() || repeatsMissing && !route.isLoss());
    }

    /** Returns whether the newest session of a router is up. */
    boolean isUp(String router) {
        return of(router).isUp();
    }

    /** Returns since when the router of a route has been disconnected; empty while it is connected. */
    OptionalLong downSince(TrackedRoute route) {
        RouterSession session = of(route.evidence().vantagePoint().router());
        return session.isUp() ? OptionalLong.empty() : OptionalLong.of(session.since());
    }

    /** Returns the names of all routers that have had a session. */
    List<String> routers() {
        return List.copyOf(sessions.keySet());
    }

    /** Returns the newest session of a router. */
    RouterSession of(String router) {
        return sessions.getOrDefault(router, RouterSession.UNKNOWN);
    }
}
