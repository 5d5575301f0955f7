package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.state.RouterSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds routers that have been disconnected, and peers that have been down, longer than their rule permits. A peer is
 * down if the newest session of its router has reported so, or has not mentioned it. Routers and peers that have been
 * absent for {@link AlertSettings#staleMicros} are removed. Not thread-safe.
 */
final class GoneFinder {
    private final AlertRules rules;
    private final AlertSettings settings;
    private final FeedStates feeds;
    private final OpenAlerts alerts;
    /** In the order of the routers. */
    private final NavigableMap<VantagePoint, PeerState> peers = new TreeMap<>();
    /** The time of the last evaluation of all routers and peers. */
    private long evaluatedAt;

    /**
     * The newest event of a peer.
     *
     * @param down null if the peer is up
     */
    private record PeerState(long session, @Nullable Evidence down) {}

    GoneFinder(AlertRules rules, AlertSettings settings, FeedStates feeds, OpenAlerts alerts) {
        this.rules = rules;
        this.settings = settings;
        this.feeds = feeds;
        this.alerts = alerts;
    }

    /** Adds the peers of open alerts that have no state yet. */
    void restore(Collection<Alert> open) {
        for (Alert alert : open) {
            if (alert.subject() instanceof AlertSubject.OfPeer(VantagePoint peer)
                    && !alert.evidence().isEmpty()) {
                Evidence down = alert.evidence().getFirst();
                peers.putIfAbsent(peer, new PeerState(down.sessionId(), down));
            }
        }
    }

    /**
     * Records that a session has mentioned a peer as up.
     *
     * @return whether that is new; the peer is to be evaluated
     */
    boolean up(VantagePoint peer, long session) {
        PeerState before = peers.get(peer);
        if (before == null
                ? peers.size() >= settings.maxRoutes()
                : before.session() == session && before.down() == null) {
            return false;
        }
        peers.put(peer, new PeerState(session, null));
        return true;
    }

    /** Records that a peer is down. A peer that has never been up is ignored: it is not expected to be up. */
    void down(VantagePoint peer, RouteBatch batch, long sequence) {
        peers.computeIfPresent(
                peer,
                (key, before) -> before.session() == batch.sessionId() && before.down() != null
                        ? before
                        : new PeerState(
                                batch.sessionId(),
                                Evidence.of(
                                        peer,
                                        Evidence.PEER_DOWN,
                                        batch.sessionId(),
                                        sequence,
                                        batch.receivedAtMicros())));
    }

    /** Returns the time of the next evaluation that can open an alert, {@link Long#MAX_VALUE} if there is none. */
    long nextDue() {
        long due = Long.MAX_VALUE;
        if (!rules.monitorsRouters()) {
            return due;
        }
        for (String router : feeds.routers()) {
            RouterSession session = feeds.of(router);
            if (!session.isUp()) {
                due = Math.min(due, next(session.since(), after(router, false)));
            }
        }
        for (Map.Entry<VantagePoint, PeerState> peer : peers.entrySet()) {
            String router = peer.getKey().router();
            RouterSession session = feeds.of(router);
            Evidence down = peer.getValue().down();
            if (down != null) {
                due = Math.min(due, next(down.receivedAtMicros(), after(router, true)));
            }
            if (session.isUp() && session.id() != peer.getValue().session()) {
                due = Math.min(due, next(session.since(), after(router, true)));
            }
        }
        return due;
    }

    private long next(long since, OptionalLong after) {
        if (after.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long opens = since + after.getAsLong();
        long forgotten = since + settings.staleMicros() + 1;
        return opens > evaluatedAt ? opens : forgotten > evaluatedAt ? forgotten : Long.MAX_VALUE;
    }

    private OptionalLong after(String router, boolean peer) {
        MonitoredRouter entry = rules.monitoredRouter(router);
        if (entry == null) {
            return OptionalLong.empty();
        }
        return peer ? entry.peerGoneAfterMicros() : entry.goneAfterMicros();
    }

    /** Evaluates all routers and peers. */
    void evaluate(long now) {
        evaluatedAt = now;
        Set<AlertSubject> subjects = new LinkedHashSet<>();
        if (rules.monitorsRouters()) {
            feeds.routers().forEach(router -> subjects.add(new AlertSubject.OfRouter(router)));
            peers.keySet().forEach(peer -> subjects.add(new AlertSubject.OfPeer(peer)));
        }
        alerts.all().forEach(alert -> subjects.add(alert.subject())); // entries may have been removed from the rules
        subjects.forEach(subject -> evaluate(subject, now));
    }

    /** Evaluates a router and its peers. */
    void evaluateRouter(String router, long now) {
        if (rules.monitorsRouters()) {
            evaluate(new AlertSubject.OfRouter(router), now);
            List<VantagePoint> ofRouter = peers.tailMap(new VantagePoint(router, "", 0)).keySet().stream()
                    .takeWhile(peer -> peer.router().equals(router))
                    .toList(); // a copy, because peers that have been absent for long are removed
            ofRouter.forEach(peer -> evaluate(new AlertSubject.OfPeer(peer), now));
        }
    }

    void evaluate(AlertSubject subject, long now) {
        switch (subject) {
            case AlertSubject.OfPrefix _, AlertSubject.OfTable _ -> {}
            case AlertSubject.OfRouter(String router) -> update(subject, router, routerCondition(router, now), now);
            case AlertSubject.OfPeer(VantagePoint peer) ->
                update(subject, peer.router(), peerCondition(peer, now), now);
        }
    }

    private void update(AlertSubject subject, String router, @Nullable Condition condition, long now) {
        MonitoredRouter entry = rules.monitoredRouter(router);
        AlertScope scope = entry == null ? AlertScope.of((MonitoredPrefix) null) : AlertScope.of(entry);
        alerts.update(subject, scope, condition == null ? Map.of() : Map.of(condition.key(subject), condition), now);
    }

    private @Nullable Condition routerCondition(String router, long now) {
        MonitoredRouter entry = rules.monitoredRouter(router);
        RouterSession session = feeds.of(router);
        if (entry == null
                || session.isUp()
                || session.id() == RouterSession.NONE
                || !isDue(session.since(), entry.goneAfterMicros(), now)
                || isForgotten(session.since(), now)) {
            return null;
        }
        Condition condition = new Condition(
                AlertRule.ROUTER_GONE, "", "router " + router + " is not connected", suppressedBy("goneAfter", entry));
        VantagePoint of = new VantagePoint(router, "", 0);
        condition.add(
                Evidence.of(of, Evidence.SESSION_DOWN, session.id(), Evidence.NO_SEQUENCE, session.since()), true);
        return condition;
    }

    private @Nullable Condition peerCondition(VantagePoint peer, long now) {
        MonitoredRouter entry = rules.monitoredRouter(peer.router());
        PeerState state = peers.get(peer);
        if (entry == null || state == null) {
            return null;
        }
        RouterSession session = feeds.of(peer.router());
        boolean isMentioned = session.id() == state.session();
        Evidence down = state.down();
        if (down == null && session.isUp() && !isMentioned) {
            down = Evidence.of(peer, Evidence.SESSION_UP, session.id(), Evidence.NO_SEQUENCE, session.since());
        }
        if (down == null || !isDue(down.receivedAtMicros(), entry.peerGoneAfterMicros(), now)) {
            return null;
        }
        if (isForgotten(down.receivedAtMicros(), now)) {
            peers.remove(peer);
            return null;
        }
        // After a reconnection, the router has time to mention the peer
        boolean isCurrent = session.isUp() && (isMentioned || isDue(session.since(), entry.peerGoneAfterMicros(), now));
        Condition condition = new Condition(
                AlertRule.PEER_GONE,
                "",
                "peer " + peer.peerAddress() + " (AS" + peer.peerAsn() + ") of router " + peer.router() + " is down",
                suppressedBy("peerGoneAfter", entry));
        condition.add(down, isCurrent);
        return condition;
    }

    private static boolean isDue(long since, OptionalLong after, long now) {
        return after.isPresent() && now >= since + after.getAsLong();
    }

    private boolean isForgotten(long since, long now) {
        return now - since > settings.staleMicros();
    }

    private static List<String> suppressedBy(String field, MonitoredRouter entry) {
        String of = entry.text() + " in options.monitorRouters";
        return new ArrayList<>(List.of("a longer " + field + " of " + of, "no " + field + " of " + of));
    }
}
