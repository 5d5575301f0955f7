package dev.silkroute.perf.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.perf.rib.QueryScenario.Run;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteView;
import dev.silkroute.rib.query.RouteFields;
import dev.silkroute.rib.query.RoutePredicate;
import dev.silkroute.rib.query.RouteQuery;
import dev.silkroute.route.RouteBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The queries on the station's RIB, as streams and as a loop over all routes. */
final class OwnQueries implements AutoCloseable {
    private static final int WITHIN = 0x0A000000;
    private static final int WITHIN_BITS = 12;

    private final Rib rib = new Rib(RibConfig.ofBytes(2L << 30));
    private final RouteQuery routeQuery;
    private final RibPeer peer;
    private final int originAs;
    private final int firstAs;

    OwnQueries(QueryTable table) {
        for (byte[] record : table.records()) {
            rib.apply(RouteBatch.read(record));
        }
        originAs = table.originAs();
        firstAs = table.firstAs();
        peer = RibPeer.of("router", RecordFeed.peer(QueryTable.PEER));
        routeQuery = new RouteQuery(rib);
    }

    private RoutePredicate predicate(RibQuery query) {
        return switch (query) {
            case PEER, PAGE -> RouteFields.PEER.equal(peer);
            case ORIGIN, ORIGIN_PAGE -> RouteFields.ORIGIN_AS.equal(originAs);
            case FAMILY -> RouteFields.FAMILY.equal(Family.IPV4_UNICAST);
            case BOTH -> RouteFields.PEER.equal(peer).and(RouteFields.ORIGIN_AS.equal(originAs));
            case WITHIN -> RouteFields.PREFIX.coveredBy("10.0.0.0/12");
            case AND -> RouteFields.ORIGIN_AS.equal(originAs).and(RouteFields.AS_PATH.contains(firstAs));
            case PATH -> RouteFields.AS_PATH.contains(originAs);
        };
    }

    /** The answer of the stream. */
    List<String> answer(RibQuery query) {
        return query.page()
                ? page(query, predicate(query))
                : List.of(Long.toString(
                        routeQuery.routes().filter(predicate(query)).count()));
    }

    private List<String> page(RibQuery query, RoutePredicate predicate) {
        return routeQuery
                .routes()
                .filter(predicate)
                .sorted(RouteFields.PREFIX.comparator())
                .skip(query.skip())
                .limit(query.limit())
                .map(route -> route.nlri() + " " + route.originAs())
                .toList();
    }

    /** Runs a query, including the creation of predicate and stream. */
    long run(RibQuery query) {
        return run(query, predicate(query));
    }

    /** Returns a run with a predicate that is created once. */
    Run prepared(RibQuery query) {
        RoutePredicate predicate = predicate(query);
        return () -> run(query, predicate);
    }

    private long run(RibQuery query, RoutePredicate predicate) {
        return query.page()
                ? page(query, predicate).size()
                : routeQuery.routes().filter(predicate).count();
    }

    /** Returns a description of how a query is answered. */
    String explain(RibQuery query) {
        return routeQuery
                .routes()
                .filter(predicate(query))
                .explain()
                .lines()
                .filter(line -> line.startsWith(query.page() ? "routes" : "count"))
                .findFirst()
                .orElse("");
    }

    private record Found(long address, int length, RibPeer peer, long originAs) {}

    /** The answer of a loop over all routes. */
    List<String> scan(RibQuery query) {
        Predicate<RouteView> wanted = switch (query) {
            case PEER, PAGE -> route -> route.peer().equals(peer);
            case ORIGIN, ORIGIN_PAGE -> route -> route.originAs() == originAs;
            case FAMILY -> route -> route.family() == Family.IPV4_UNICAST;
            case BOTH -> route -> route.peer().equals(peer) && route.originAs() == originAs;
            case WITHIN ->
                route -> route.prefixLength() >= WITHIN_BITS
                        && ((int) route.addressLow() & -1 << 32 - WITHIN_BITS) == WITHIN;
            case AND -> route -> route.originAs() == originAs && route.asPathContains(firstAs);
            case PATH -> route -> route.asPathContains(originAs);
        };
        List<Found> found = new ArrayList<>();
        long[] count = {0};
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (wanted.test(route)) {
                    count[0]++;
                    if (query.page()) {
                        found.add(new Found(route.addressLow(), route.prefixLength(), route.peer(), route.originAs()));
                    }
                }
            });
        }
        if (!query.page()) {
            return List.of(Long.toString(count[0]));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Found::address)
                        .thenComparingInt(Found::length)
                        .thenComparing(row -> row.peer.toString()))
                .skip(query.skip())
                .limit(query.limit())
                .map(row -> Addresses.prefix(false, 0, row.address, row.length) + " " + row.originAs)
                .toList();
    }

    @Override
    public void close() {
        rib.close();
    }
}
