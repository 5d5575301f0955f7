package dev.silkroute.state;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Routers, peers and routes of which only the phases decide: a route is here if the transitions have left it here.
 * Stores that are driven by the phases, or that restate them in SQL, are compared with it.
 */
public final class PhaseModel {
    /** A peer of a router in one RIB view. */
    public record View(String router, String peer, String view) {}

    private record Table(View view, int family) {}

    /** A route of a view. */
    public record Route(View view, int family, String prefix) {}

    /** The session that announced or confirmed a route last, and its MED. */
    public record Announcement(long session, int med) {}

    private static final String COLLECTOR = "c1";

    private final Map<String, RouterSession> routers = new TreeMap<>();
    private final Map<View, ViewPhase> views = new HashMap<>();
    private final Map<Table, TablePhase> tables = new HashMap<>();
    private final Map<Route, Announcement> routes = new HashMap<>();
    private long start = RouterSession.NONE;
    private long clock;

    public Map<String, RouterSession> routers() {
        return routers;
    }

    public Map<Route, Announcement> routes() {
        return routes;
    }

    public boolean isStale(Route route) {
        RouterSession router = routers.get(route.view.router);
        return !router.isUp() || routes.get(route).session != router.id();
    }

    private RouterSession router(String name) {
        return routers.getOrDefault(name, RouterSession.UNKNOWN);
    }

    public void collectorStarted(long session) {
        start = Math.max(start, session);
        clock++;
        routers.replaceAll((_, router) -> router.collectorStarted(COLLECTOR, session, clock));
    }

    public void sessionUp(String router, long session) {
        routers.put(router, router(router).sessionUp(session, COLLECTOR, start, ++clock));
    }

    public void sessionDown(String router, long session) {
        routers.put(router, router(router).sessionDown(session, COLLECTOR, ++clock));
    }

    /** Returns whether events of the session count: the router has no newer one. */
    private boolean mention(View of, long session) {
        routers.put(of.router, router(of.router).mentioned(session, COLLECTOR, start, ++clock));
        return !router(of.router).supersedes(session);
    }

    public void announce(Route route, long session, int med) {
        if (!mention(route.view, session)) {
            return;
        }
        ViewPhase phase = views.getOrDefault(route.view, ViewPhase.UNKNOWN).announced(session);
        views.put(route.view, phase);
        if (phase.accepts(session)) {
            routes.put(route, new Announcement(session, med));
        }
    }

    public void withdraw(Route route, long session) {
        if (mention(route.view, session)
                && views.getOrDefault(route.view, ViewPhase.UNKNOWN).accepts(session)) {
            routes.remove(route);
        }
    }

    public void peerUp(View peer, long session) {
        if (mention(peer, session)) {
            mentionViews(peer, session);
        }
    }

    private void mentionViews(View peer, long session) {
        views.replaceAll((view, phase) -> covers(peer, true, view) ? phase.mentioned(session) : phase);
    }

    public void peerDown(View peer, boolean allViews, long session) {
        if (mention(peer, session)) {
            views.replaceAll(
                    (view, phase) -> covers(peer, allViews, view) ? move(view, phase.peerDown(session)) : phase);
        }
    }

    private static boolean covers(View peer, boolean allViews, View view) {
        return view.router.equals(peer.router)
                && view.peer.equals(peer.peer)
                && (allViews || view.view.equals(peer.view));
    }

    private ViewPhase move(View view, ViewPhase next) {
        if (views.get(view).endsRoutes(next)) {
            routes.keySet().removeIf(route -> route.view.equals(view));
        }
        return next;
    }

    /** @param family 0 for all tables of the peer */
    public void endOfRib(View peer, int family, long session) {
        if (!mention(peer, session)) {
            return;
        }
        mentionViews(peer, session);
        boolean all = family == 0;
        if (views.entrySet().stream()
                .noneMatch(view ->
                        covers(peer, all, view.getKey()) && view.getValue().mayHoldOlderThan(session))) {
            return;
        }
        for (View view : views.keySet()) {
            for (int of : new int[] {0x101, 0x201}) {
                if (covers(peer, all, view) && (all || of == family)) {
                    purge(new Table(view, of), session);
                }
            }
        }
    }

    private void purge(Table table, long session) {
        TablePhase phase = tables.getOrDefault(table, TablePhase.UNSYNCHRONIZED);
        TablePhase next = phase.endOfRib(session);
        if (next != phase) {
            tables.put(table, next);
            routes.entrySet()
                    .removeIf(route -> route.getKey().view.equals(table.view)
                            && route.getKey().family == table.family
                            && route.getValue().session < session);
        }
    }

    /**
     * Ends the views of routers that are down, or of routers that are up the views that their session has not
     * mentioned.
     */
    public void expire(boolean down) {
        long now = 1_000_000_000;
        long never = 2 * now;
        StateTimeouts timeouts = new StateTimeouts(down ? 0 : never, down ? never : 0);
        views.replaceAll((view, phase) -> move(view, phase.checked(router(view.router), timeouts, now)));
    }
}
