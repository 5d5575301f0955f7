package dev.silkroute.rib.query;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.RouteScan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Queries over a RIB:
 *
 * <pre>
 * query.routes().filter(VIEW.equal(LOC_RIB).and(ORIGIN_AS.equal(64500))).count()
 * query.routes().filter(PREFIX.coveredBy("10.0.0.0/8")).sorted(PREFIX.comparator()).skip(20).limit(10).toList()
 * </pre>
 *
 * <p><b>Consistency.</b> The RIB keeps changing under a stream. A route that exists all the time is returned exactly
 * once, in its state at one moment of the stream; routes that come, go or change meanwhile are returned as they are
 * then, or not at all. Each counter is of one moment. {@link RouteStream#snapshot} is of one moment as a whole.
 *
 * <p>Thread-safe.
 */
public final class RouteQuery {
    private final Rib rib;

    public RouteQuery(Rib rib) {
        this.rib = rib;
    }

    /** All routes, to be narrowed by {@link RouteStream#filter}. */
    public RouteStream routes() {
        return new RouteStream(rib, Plan.TRUE, false, 0, Long.MAX_VALUE, false);
    }

    /** The tables of peers (per view and family), each once: one side of a join with routes. */
    public Stream<PeerRib> peerRibs() {
        Map<List<Object>, PeerRib> all = new LinkedHashMap<>();
        for (RibTable table : rib.scans().tables()) {
            all.merge(List.of(table.peer(), table.view(), table.family()), PeerRib.of(table), PeerRib::with);
        }
        return all.values().stream();
    }

    /** The routes of one of them. */
    public RouteStream routes(PeerRib of) {
        return routes().filter(RouteFields.PEER
                .equal(of.peer())
                .and(RouteFields.VIEW.equal(of.view()))
                .and(RouteFields.FAMILY.equal(of.family())));
    }

    /** Two routes of the same family, RD and prefix or NLRI. */
    public record Pair(RibRoute left, RibRoute right) {}

    /**
     * Every pair of a route that meets one condition and a route of the same NLRI that meets another. Path identifiers
     * are ignored.
     *
     * @param right without a longest match, which cannot be tested on single routes
     */
    public Stream<Pair> join(RoutePredicate left, RoutePredicate right) {
        RoutePredicate.withoutLongest(right);
        return stepwise(left).flatMap(List::stream).flatMap(route -> route.withSiblings(right));
    }

    /**
     * The routes that meet one condition and have no route of the same NLRI that meets another, such as what one peer
     * has and another does not.
     *
     * @param right without a longest match, which cannot be tested on single routes
     */
    public Stream<RibRoute> without(RoutePredicate left, RoutePredicate right) {
        RoutePredicate.withoutLongest(right);
        return stepwise(left)
                .flatMap(List::stream)
                .filter(route -> route.siblings(right).isEmpty())
                .map(Sided::route);
    }

    /** A route, and all routes of the same NLRI. */
    private record Sided(RibRoute route, List<RibRoute> all) {
        List<RibRoute> siblings(RoutePredicate condition) {
            return all.stream().filter(condition).toList();
        }

        Stream<Pair> withSiblings(RoutePredicate condition) {
            return siblings(condition).stream().map(other -> new Pair(route, other));
        }
    }

    private Stream<List<Sided>> stepwise(RoutePredicate left) {
        return StreamSupport.stream(new Steps(new Plan(rib, left, false, Long.MAX_VALUE).scan(), left), false);
    }

    /**
     * The steps of a scan that found something. In parallel streams, too, one thread at a time steps and hands its
     * results to others.
     */
    private final class Steps extends AbstractSpliterator<List<Sided>> {
        private final RouteScan scan;
        private final RoutePredicate left;

        Steps(RouteScan scan, RoutePredicate left) {
            super(Long.MAX_VALUE, NONNULL);
            this.scan = scan;
            this.left = left;
        }

        @Override
        public boolean tryAdvance(Consumer<? super List<Sided>> action) {
            List<Sided> found = step(scan, left);
            if (found.isEmpty()) {
                return false;
            }
            action.accept(found);
            return true;
        }
    }

    private List<Sided> step(RouteScan scan, RoutePredicate left) {
        List<Sided> found = new ArrayList<>();
        boolean more = true;
        while (more && found.isEmpty()) {
            more = scan.advance(route -> {
                if (left.test(route)) {
                    List<RibRoute> all = new ArrayList<>();
                    rib.scans().siblings(route, other -> all.add(other.toRoute()));
                    found.add(new Sided(route.toRoute(), all));
                }
            });
        }
        return found;
    }
}
