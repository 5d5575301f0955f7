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
 * Questions to a RIB:
 *
 * <pre>
 * query.routes().filter(VIEW.equal(LOC_RIB).and(ORIGIN_AS.equal(64500))).count()
 * query.routes().filter(PREFIX.coveredBy("10.0.0.0/8")).sorted(PREFIX.comparator()).skip(20).limit(10).toList()
 * </pre>
 *
 * <p><b>Consistency.</b> The RIB goes on changing. A stream meets each route that is there all the time exactly once, as it is at one moment of the
 * stream; of those that come, go or change meanwhile what it happens to see. A count by counters is of one moment for each
 * counter. {@link RouteStream#snapshot} is of one moment for all.
 *
 * <p>Thread-safe.
 */
public final class RouteQuery {
    private final Rib rib;

    public RouteQuery(Rib rib) {
        this.rib = rib;
    }

    /** Every route, to be narrowed by {@link RouteStream#filter}. */
    public RouteStream routes() {
        return new RouteStream(rib, Plan.TRUE, false, 0, Long.MAX_VALUE, false);
    }

    /** What peers show of families in views, each once: the side of peers in joins. */
    public Stream<PeerRib> peerRibs() {
        Map<List<Object>, PeerRib> all = new LinkedHashMap<>();
        for (RibTable table : rib.scans().tables()) {
            all.merge(List.of(table.peer(), table.view(), table.family()), PeerRib.of(table), PeerRib::with);
        }
        return all.values().stream();
    }

    /** What one of them has. */
    public RouteStream routes(PeerRib of) {
        return routes().filter(RouteFields.PEER
                .equal(of.peer())
                .and(RouteFields.VIEW.equal(of.view()))
                .and(RouteFields.FAMILY.equal(of.family())));
    }

    /** Two routes of the same family, RD and prefix or NLRI. */
    public record Pair(RibRoute left, RibRoute right) {}

    /**
     * Every pair of a route that meets one condition and a route of the same NLRI that meets another; path identifiers count for nothing.
     *
     * @param right without a longest match, which no route of an NLRI says alone
     */
    public Stream<Pair> join(RoutePredicate left, RoutePredicate right) {
        RoutePredicate.withoutLongest(right);
        return stepwise(left).flatMap(List::stream).flatMap(route -> route.withSiblings(right));
    }

    /**
     * The routes that meet one condition and have none of the same NLRI that meets another, such as what one peer has and another lacks.
     *
     * @param right without a longest match, which no route of an NLRI says alone
     */
    public Stream<RibRoute> without(RoutePredicate left, RoutePredicate right) {
        RoutePredicate.withoutLongest(right);
        return stepwise(left)
                .flatMap(List::stream)
                .filter(route -> route.siblings(right).isEmpty())
                .map(Sided::route);
    }

    /** A route, and all of the same NLRI. */
    private record Sided(RibRoute route, List<RibRoute> all) {
        List<RibRoute> siblings(RoutePredicate condition) {
            return all.stream().filter(condition).toList();
        }

        Stream<Pair> withSiblings(RoutePredicate condition) {
            return siblings(condition).stream().map(other -> new Pair(route, other));
        }
    }

    private Stream<List<Sided>> stepwise(RoutePredicate left) {
        return StreamSupport.stream(new Steps(new Plan(rib, left, false).scan(), left), false);
    }

    /** A scan's steps that have found something. In parallel streams too one thread at a time steps, and gives what it has found to others. */
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
