package dev.silkroute.rib;

import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.RouteState;
import dev.silkroute.digest.Sketch;
import dev.silkroute.digest.TableDigest;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.digest.TableSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RIB for comparisons. Batches are applied meanwhile; a route that changes is included as it is when the scan
 * reaches it. Thread-safe.
 */
public final class RibDigests implements TableSource {
    private final Rib rib;
    private final Supplier<Position> position;

    /** @param position how much the RIB includes now */
    public RibDigests(Rib rib, Supplier<Position> position) {
        this.rib = rib;
        this.position = position;
    }

    @Override
    public Digests digests(TableSelection selection, DigestKey key, int cells) {
        Position before = position.get();
        RouteHasher hasher = new RouteHasher(key);
        Set<RibTable> selected = select(name -> selection.selects(name, hasher));
        Map<RibTable, TableDigest> byTable = create(selected, cells);
        RouteScan scan = rib.scans().all(selected::contains);
        Adder adder = new Adder(byTable, hasher);
        while (scan.advance(adder::add)) {}
        List<TableDigest> digests = new ArrayList<>(new HashSet<>(byTable.values()));
        digests.removeIf(digest -> digest.routes() == 0);
        return new Digests(before, digests);
    }

    /** Adds routes to the digests of their tables. Consecutive routes are mostly of the same table. */
    private static final class Adder {
        private final Map<RibTable, TableDigest> digests;
        private final RouteHasher hasher;
        private @Nullable RibTable table;
        private @Nullable TableDigest digest;

        Adder(Map<RibTable, TableDigest> digests, RouteHasher hasher) {
            this.digests = digests;
            this.hasher = hasher;
        }

        void add(RouteView route) {
            TableDigest to = digest;
            if (to == null || route.table() != table) {
                table = route.table();
                to = Objects.requireNonNull(digests.get(table));
                digest = to;
            }
            long key = route.digestKey(hasher);
            to.add(key, route.digest(hasher, key));
        }
    }

    private Set<RibTable> select(Predicate<TableName> which) {
        Set<RibTable> selected = new HashSet<>();
        for (RibTable table : rib.scans().tables()) {
            if (table.routes() > 0 && which.test(name(table))) {
                selected.add(table);
            }
        }
        return selected;
    }

    /** Creates the digests, one for the tables of the same name in different shards. */
    private static Map<RibTable, TableDigest> create(Set<RibTable> tables, int cells) {
        Map<TableName, RibTable> names = new HashMap<>();
        tables.forEach(table -> names.put(name(table), table));
        boolean hasSketches = cells > 0 && names.size() <= MAX_SKETCHES;
        Map<TableName, TableDigest> byName = new HashMap<>();
        names.forEach((name, table) -> byName.put(
                name,
                new TableDigest(
                        name, Integer.toUnsignedLong(table.peerAsn()), hasSketches ? new Sketch(cells) : null)));
        Map<RibTable, TableDigest> byTable = new HashMap<>();
        tables.forEach(table -> byTable.put(table, byName.get(name(table))));
        return byTable;
    }

    /** Returns the name of the table that is selected, the first one of several; empty if there is none. */
    public Optional<TableName> find(TableSelection selection, DigestKey key) {
        RouteHasher hasher = new RouteHasher(key);
        return select(name -> selection.selects(name, hasher)).stream()
                .findFirst()
                .map(RibDigests::name);
    }

    private static TableName name(RibTable table) {
        RibPeer peer = table.peer();
        return new TableName(
                peer.router(),
                peer.peerType(),
                peer.distinguisher(),
                peer.address(),
                peer.bgpId(),
                table.view(),
                table.family());
    }

    @Override
    public Routes routes(TableName table, DigestKey key, Set<Long> keys) {
        Position before = position.get();
        RouteHasher hasher = new RouteHasher(key);
        Set<RibTable> selected = select(table::equals);
        List<RouteState> found = new ArrayList<>();
        RouteScan scan = rib.scans().all(selected::contains);
        while (scan.advance(route -> {
            long routeKey = route.digestKey(hasher);
            if (keys.contains(routeKey)) {
                found.add(state(route, routeKey, route.digest(hasher, routeKey)));
            }
        })) {}
        return new Routes(before, found);
    }

    private static RouteState state(RouteView route, long key, long hash) {
        int[] labels = new int[route.labelCount()];
        Arrays.setAll(labels, route::label);
        return new RouteState(
                key,
                hash,
                route.nlri(),
                route.hasPathId() ? OptionalLong.of(Integer.toUnsignedLong(route.pathId())) : OptionalLong.empty(),
                labels,
                route.marking(),
                Arrays.copyOfRange(route.attributeBytes(), route.attributesFrom(), route.attributesTo()));
    }
}
