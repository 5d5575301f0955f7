package dev.silkroute.rib.query;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import dev.silkroute.rib.RouteScan;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A stream of routes that has not started. {@link #filter} with a {@link RoutePredicate}, {@link #sorted} by {@link
 * RouteFields.PrefixField#comparator}, {@link #skip}, {@link #limit}, {@link #count} and {@link #countBy} become part
 * of the plan; any other operation turns it into a stream of the JDK. Immutable until then, so unlike other streams it
 * can be used more than once. For consistency see {@link RouteQuery}.
 */
public final class RouteStream extends ObjectStream {
    private final Rib rib;
    private final RoutePredicate predicate;
    private final boolean sorted;
    private final long skip;
    private final long limit;
    private final boolean parallel;

    RouteStream(Rib rib, RoutePredicate predicate, boolean sorted, long skip, long limit, boolean parallel) {
        this.rib = rib;
        this.predicate = predicate;
        this.sorted = sorted;
        this.skip = skip;
        this.limit = limit;
        this.parallel = parallel;
    }

    private Plan plan() {
        return new Plan(rib, predicate, sorted, needed());
    }

    /** The plan for all routes in any order. */
    private Plan wholePlan() {
        return new Plan(rib, predicate, false, Long.MAX_VALUE);
    }

    /** The number of routes after which the stream ends, those skipped included. */
    private long needed() {
        return limit > Long.MAX_VALUE - skip ? Long.MAX_VALUE : skip + limit;
    }

    private boolean isWhole() {
        return skip == 0 && limit == Long.MAX_VALUE;
    }

    @Override
    Stream<RibRoute> objects() {
        Plan plan = plan();
        if (sorted && !plan.inOrder()) {
            return needed() <= FirstRoutes.MOST ? firstRoutes(plan) : sortedObjects(plan);
        }
        return StreamSupport.stream(
                () -> new RouteSpliterator(plan.scan(), plan.residual(), sorted, skip, limit),
                Spliterator.NONNULL | (sorted ? Spliterator.ORDERED : 0),
                parallel);
    }

    private Stream<RibRoute> firstRoutes(Plan plan) {
        return StreamSupport.stream(
                () -> {
                    List<RibRoute> first = FirstRoutes.of(plan, (int) needed());
                    return first.subList((int) Math.min(skip, first.size()), first.size())
                            .spliterator();
                },
                Spliterator.ORDERED | Spliterator.SIZED | Spliterator.SUBSIZED,
                parallel);
    }

    private Stream<RibRoute> sortedObjects(Plan plan) {
        Stream<RibRoute> routes = StreamSupport.stream(
                        () -> new RouteSpliterator(plan.scan(), plan.residual(), false, 0, Long.MAX_VALUE),
                        Spliterator.NONNULL,
                        parallel)
                .sorted(PrefixOrder.INSTANCE)
                .skip(skip);
        return limit == Long.MAX_VALUE ? routes : routes.limit(limit);
    }

    /** Narrows the routes by a condition. */
    public RouteStream filter(RoutePredicate condition) {
        if (!isWhole()) {
            throw new IllegalStateException("conditions must be applied before skip and limit");
        }
        RoutePredicate both = predicate == Plan.TRUE ? condition : predicate.and(condition);
        return new RouteStream(rib, both, sorted, skip, limit, parallel);
    }

    /** Adds the condition to the plan if it is a {@link RoutePredicate}; otherwise it is tested on objects. */
    @Override
    public Stream<RibRoute> filter(Predicate<? super RibRoute> condition) {
        return condition instanceof RoutePredicate of && isWhole()
                ? filter(of)
                : objects().filter(condition);
    }

    /** Sorts the routes: at no cost in the order of prefixes, by the JDK in other orders. */
    @Override
    public Stream<RibRoute> sorted(Comparator<? super RibRoute> comparator) {
        return comparator == PrefixOrder.INSTANCE && isWhole()
                ? sortedByPrefix()
                : objects().sorted(comparator);
    }

    /**
     * Returns the same as {@code sorted(PREFIX.comparator())}, as a route stream.
     *
     * @throws IllegalStateException after skip or limit
     */
    public RouteStream sortedByPrefix() {
        if (!isWhole()) {
            throw new IllegalStateException("the order must be applied before skip and limit");
        }
        return new RouteStream(rib, predicate, true, skip, limit, parallel);
    }

    @Override
    public RouteStream skip(long n) {
        if (n < 0) {
            throw new IllegalArgumentException("skip must not be negative: " + n);
        }
        long left = limit == Long.MAX_VALUE ? limit : Math.max(0, limit - n);
        return new RouteStream(rib, predicate, sorted, skip + n, left, parallel);
    }

    @Override
    public RouteStream limit(long most) {
        if (most < 0) {
            throw new IllegalArgumentException("limit must not be negative: " + most);
        }
        return new RouteStream(rib, predicate, sorted, skip, Math.min(limit, most), parallel);
    }

    /** Counts the routes, by counters where these have the number, otherwise by visiting routes. */
    @Override
    public long count() {
        long counted = Plan.counted(rib, predicate);
        long count = counted >= 0 ? counted : wholePlan().count();
        return isWhole() ? count : Math.min(limit, Math.max(0, count - skip));
    }

    /**
     * Counts the routes per value, without making objects. {@link RouteFields.TableField}s are answered by counters
     * where the conditions allow it. Skip and limit are ignored.
     *
     * @param key applied to a route that is valid during the call
     */
    public <K> Map<K, Long> countBy(Function<? super Route, ? extends K> key) {
        Plan plan = wholePlan();
        Map<K, Long> counts = new HashMap<>();
        if (key instanceof RouteFields.TableField<?> field && plan.ofTables()) {
            for (RibTable table : rib.scans().tables()) {
                if (table.routes() > 0 && predicate.of(table) == RoutePredicate.Truth.ALL) {
                    @SuppressWarnings("unchecked") // the field is the key
                    K of = (K) field.of(table);
                    counts.merge(of, table.routes(), Long::sum);
                }
            }
            return counts;
        }
        RouteScan scan = plan.scan();
        while (scan.advance(route -> {
            if (predicate.test(route)) {
                counts.merge(key.apply(route), 1L, Long::sum);
            }
        })) {}
        return counts;
    }

    /**
     * Returns the routes as of one moment between two batches, after purging. Writers wait until the list is complete.
     */
    public List<RibRoute> snapshot() {
        return rib.withoutWrites(() -> {
            while (rib.purge(Long.MAX_VALUE)) {}
            return toList();
        });
    }

    /** Describes how the query would be executed. */
    public String explain() {
        return plan().explain(skip, limit) + "count: " + wholePlan().counting() + "\n";
    }

    @Override
    public boolean isParallel() {
        return parallel;
    }

    @Override
    public RouteStream sequential() {
        return new RouteStream(rib, predicate, sorted, skip, limit, false);
    }

    @Override
    public RouteStream parallel() {
        return new RouteStream(rib, predicate, sorted, skip, limit, true);
    }

    @Override
    public RouteStream unordered() {
        return this;
    }

    @Override
    public Stream<RibRoute> onClose(Runnable closeHandler) {
        return objects().onClose(closeHandler);
    }

    /** Does nothing, because there is nothing to release. */
    @Override
    public void close() {}
}
