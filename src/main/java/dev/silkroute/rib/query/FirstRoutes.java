package dev.silkroute.rib.query;

import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RouteScan;
import dev.silkroute.rib.RouteView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The first routes in the order of prefixes among those of a scan that has another order. Objects are made only of
 * routes that are among the first so far. Routes of the same prefix keep the order in which they are visited, so that a
 * page does not repeat what an earlier one had.
 */
final class FirstRoutes {
    /** The maximum number of routes: larger ones are better sorted as a whole. */
    static final int MOST = 10_000;

    private record Ranked(RibRoute route, long visited) {}

    private static final Comparator<Ranked> ORDER =
            Comparator.comparing(Ranked::route, PrefixOrder.INSTANCE).thenComparingLong(Ranked::visited);

    private final int many;
    private final PriorityQueue<Ranked> first = new PriorityQueue<>(ORDER.reversed());
    private long visited;

    private FirstRoutes(int many) {
        this.many = many;
    }

    static List<RibRoute> of(Plan plan, int many) {
        if (many == 0) {
            return List.of();
        }
        FirstRoutes routes = new FirstRoutes(many);
        RouteScan scan = plan.scan();
        while (scan.advance(route -> {
            if (plan.predicate.test(route)) {
                routes.add(route);
            }
        })) {}
        List<Ranked> ranked = new ArrayList<>(routes.first);
        ranked.sort(ORDER);
        return ranked.stream().map(Ranked::route).toList();
    }

    private void add(RouteView route) {
        visited++;
        if (first.size() == many) {
            if (PrefixOrder.INSTANCE.compare(route, first.element().route) >= 0) {
                return;
            }
            first.remove();
        }
        first.add(new Ranked(route.toRoute(), visited));
    }
}
