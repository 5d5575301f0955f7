package dev.silkroute.digest;

import dev.silkroute.digest.ComparedTable.ComparedRoute;
import dev.silkroute.digest.ComparedTable.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Compares two copies of tables, each of which may change meanwhile.
 *
 * <ol>
 *   <li>Both sources compute digests, and small sketches if few tables are selected. Tables with equal digests are
 *       equal.
 *   <li>For a table that differs, the sketches yield the routes that differ. If there are too many of them, both
 *       sources compute larger sketches of this table, up to {@link Sketch#MAX_CELLS} cells.
 *   <li>Both sources look up these routes again. A route that is equal now had only changed at different times. One
 *       that is still as in the sketches differs. One that has changed since is compared again a few times.
 * </ol>
 */
public final class TableComparison {
    private static final int FIRST_CELLS = 64;
    private static final int GROWTH = 8;

    /** The number of differing tables of which routes are looked for. */
    static final int MAX_DETAILED_TABLES = 16;

    private static final int MAX_COMPARISONS = 4;

    private final TableSource here;
    private final TableSource there;
    private final Executor executor;
    private final Duration pause;

    /**
     * @param executor reads {@code there} while the calling thread reads {@code here}
     * @param pause between two comparisons of routes that are changing
     */
    public TableComparison(TableSource here, TableSource there, Executor executor, Duration pause) {
        this.here = here;
        this.there = there;
        this.executor = executor;
        this.pause = pause;
    }

    /**
     * The result.
     *
     * @param here what one copy included at least
     * @param there what the other copy included at least
     * @param tables in the order of their names
     */
    public record Result(Position here, Position there, List<ComparedTable> tables) {}

    /** Two results of the same read. */
    private record Both<T>(T here, T there) {}

    /** A read of one source. */
    @FunctionalInterface
    private interface Read<T> {
        T of(TableSource source) throws IOException;
    }

    /**
     * Compares the selected tables.
     *
     * @param maxRoutes the number of routes to return for each table, at most {@link TableSource#MAX_ROUTES}
     * @throws IOException if a source is not available
     */
    public Result compare(TableSelection selection, int maxRoutes) throws IOException, InterruptedException {
        DigestKey key = DigestKey.random();
        var digests = read(source -> source.digests(selection, key, FIRST_CELLS));
        Map<TableName, TableDigest> theirs = byName(digests.there.tables());
        List<ComparedTable> tables = new ArrayList<>();
        int detailed = 0;
        for (TableDigest ours : digests.here.tables()) {
            TableDigest their = theirs.remove(ours.name());
            if (their == null) {
                tables.add(new ComparedTable(ours.name(), ours, null, State.ONLY_HERE, ours.routes(), 0, List.of()));
            } else if (ours.sameRoutes(their)) {
                tables.add(new ComparedTable(ours.name(), ours, their, State.EQUAL, 0, 0, List.of()));
            } else if (++detailed > MAX_DETAILED_TABLES) {
                tables.add(new ComparedTable(ours.name(), ours, their, State.DIFFERS, -1, 0, List.of()));
            } else {
                tables.add(details(key, ours, their, maxRoutes));
            }
        }
        for (TableDigest their : theirs.values()) {
            tables.add(new ComparedTable(their.name(), null, their, State.ONLY_THERE, their.routes(), 0, List.of()));
        }
        tables.sort(Comparator.comparing(table -> table.name().toString()));
        return new Result(digests.here.position(), digests.there.position(), tables);
    }

    private static Map<TableName, TableDigest> byName(List<TableDigest> digests) {
        Map<TableName, TableDigest> byName = new HashMap<>();
        digests.forEach(digest -> byName.put(digest.name(), digest));
        return byName;
    }

    private ComparedTable details(DigestKey key, TableDigest ours, TableDigest theirs, int maxRoutes)
            throws IOException, InterruptedException {
        TableSelection table = TableSelection.of(ours.name(), new RouteHasher(key));
        TableDigest nowOurs = ours;
        TableDigest nowTheirs = theirs;
        int cells = nowOurs.sketch() == null ? FIRST_CELLS : FIRST_CELLS * GROWTH;
        while (true) {
            Sketch sketch = nowOurs.sketch();
            Sketch theirSketch = nowTheirs.sketch();
            if (sketch != null && theirSketch != null) {
                var differences = sketch.differences(theirSketch);
                if (differences.isPresent()) {
                    return compareAgain(key, nowOurs, nowTheirs, differences.get(), maxRoutes);
                }
            }
            if (cells > Sketch.MAX_CELLS) {
                return new ComparedTable(ours.name(), nowOurs, nowTheirs, State.DIFFERS, -1, 0, List.of());
            }
            int size = cells;
            var digests = read(source -> source.digests(table, key, size));
            nowOurs = only(digests.here, ours, size);
            nowTheirs = only(digests.there, theirs, size);
            cells *= GROWTH;
        }
    }

    /** The digest of a table that was selected alone; an empty one if the table has lost all of its routes. */
    private static TableDigest only(TableSource.Digests digests, TableDigest before, int cells) {
        return digests.tables().isEmpty()
                ? new TableDigest(before.name(), before.peerAsn(), new Sketch(cells))
                : digests.tables().getFirst();
    }

    private ComparedTable compareAgain(
            DigestKey key, TableDigest ours, TableDigest theirs, List<RouteDifference> differences, int maxRoutes)
            throws IOException, InterruptedException {
        Map<Long, RouteDifference> open = new HashMap<>();
        differences.stream().limit(maxRoutes).forEach(difference -> open.put(difference.key(), difference));
        int compared = open.size();
        List<ComparedRoute> routes = new ArrayList<>();
        for (int i = 1; !open.isEmpty(); i++) {
            Set<Long> keys = new HashSet<>(open.keySet());
            var states = read(source -> source.routes(ours.name(), key, keys));
            Map<Long, RouteState> here = byKey(states.here);
            Map<Long, RouteState> there = byKey(states.there);
            for (long route : keys) {
                RouteDifference before = Objects.requireNonNull(open.remove(route));
                var now = new RouteDifference(route, hash(here.get(route)), hash(there.get(route)));
                if (now.here() != now.there()) {
                    if (now.equals(before) || i == MAX_COMPARISONS) {
                        routes.add(new ComparedRoute(here.get(route), there.get(route), !now.equals(before)));
                    } else {
                        open.put(route, now);
                    }
                }
            }
            if (!open.isEmpty()) {
                Thread.sleep(pause);
            }
        }
        routes.sort(Comparator.comparing((ComparedRoute route) -> route.any().nlri())
                .thenComparing(route -> route.any().pathId().orElse(-1)));
        int settled = compared - routes.size();
        int differing = differences.size() - settled;
        State state = differing == 0 ? State.EQUAL : State.DIFFERS;
        return new ComparedTable(ours.name(), ours, theirs, state, differing, settled, routes);
    }

    private static Map<Long, RouteState> byKey(TableSource.Routes routes) {
        Map<Long, RouteState> byKey = new HashMap<>();
        routes.routes().forEach(route -> byKey.put(route.key(), route));
        return byKey;
    }

    private static long hash(@Nullable RouteState route) {
        return route == null ? 0 : route.route();
    }

    /** Reads both sources at the same time. */
    private <T> Both<T> read(Read<T> read) throws IOException, InterruptedException {
        FutureTask<T> second = new FutureTask<>(() -> read.of(there));
        executor.execute(second);
        try {
            T first = read.of(here);
            return new Both<>(first, second.get());
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            second.cancel(true); // without effect if it is complete
        }
    }
}
