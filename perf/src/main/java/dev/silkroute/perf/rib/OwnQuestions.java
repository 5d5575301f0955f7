package dev.silkroute.perf.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.perf.rib.QueryScenario.Asking;
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

/** The questions, as streams and as a loop over all routes. */
final class OwnQuestions implements AutoCloseable {
    private static final int WITHIN = 0x0A000000;
    private static final int WITHIN_BITS = 12;

    private final Rib rib = new Rib(RibConfig.ofBytes(2L << 30));
    private final RouteQuery query;
    private final RibPeer peer;
    private final int originAs;

    OwnQuestions(QueryTable table) {
        for (byte[] record : table.records()) {
            rib.apply(RouteBatch.read(record));
        }
        originAs = table.originAs();
        peer = RibPeer.of("router", RecordFeed.peer(QueryTable.PEER));
        query = new RouteQuery(rib);
    }

    private RoutePredicate predicate(Question question) {
        return switch (question) {
            case PEER, PAGE -> RouteFields.PEER.equal(peer);
            case ORIGIN, ORIGIN_PAGE -> RouteFields.ORIGIN_AS.equal(originAs);
            case FAMILY -> RouteFields.FAMILY.equal(Family.IPV4_UNICAST);
            case BOTH -> RouteFields.PEER.equal(peer).and(RouteFields.ORIGIN_AS.equal(originAs));
            case WITHIN -> RouteFields.PREFIX.coveredBy("10.0.0.0/12");
            case PATH -> RouteFields.AS_PATH.contains(originAs);
        };
    }

    /** What the stream says. */
    List<String> answer(Question question) {
        return question.page()
                ? page(question, predicate(question))
                : List.of(
                        Long.toString(query.routes().filter(predicate(question)).count()));
    }

    private List<String> page(Question question, RoutePredicate predicate) {
        return query.routes()
                .filter(predicate)
                .sorted(RouteFields.PREFIX.comparator())
                .skip(question.skip())
                .limit(question.limit())
                .map(route -> route.nlri() + " " + route.originAs())
                .toList();
    }

    /** Asks, predicate and stream made anew. */
    long ask(Question question) {
        return ask(question, predicate(question));
    }

    /** Asks with a predicate that was made before. */
    Asking prepared(Question question) {
        RoutePredicate predicate = predicate(question);
        return () -> ask(question, predicate);
    }

    private long ask(Question question, RoutePredicate predicate) {
        return question.page()
                ? page(question, predicate).size()
                : query.routes().filter(predicate).count();
    }

    /** How a question is answered. */
    String explain(Question question) {
        return query.routes()
                .filter(predicate(question))
                .explain()
                .lines()
                .filter(line -> line.startsWith(question.page() ? "routes" : "count"))
                .findFirst()
                .orElse("");
    }

    private record Found(long address, int length, RibPeer peer, long originAs) {}

    /** Every route looked at. */
    List<String> scan(Question question) {
        Predicate<RouteView> wanted = switch (question) {
            case PEER, PAGE -> route -> route.peer().equals(peer);
            case ORIGIN, ORIGIN_PAGE -> route -> route.originAs() == originAs;
            case FAMILY -> route -> route.family() == Family.IPV4_UNICAST;
            case BOTH -> route -> route.peer().equals(peer) && route.originAs() == originAs;
            case WITHIN ->
                route -> route.prefixLength() >= WITHIN_BITS
                        && ((int) route.addressLow() & -1 << 32 - WITHIN_BITS) == WITHIN;
            case PATH -> route -> route.asPathContains(originAs);
        };
        List<Found> found = new ArrayList<>();
        long[] count = {0};
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (wanted.test(route)) {
                    count[0]++;
                    if (question.page()) {
                        found.add(new Found(route.addressLow(), route.prefixLength(), route.peer(), route.originAs()));
                    }
                }
            });
        }
        if (!question.page()) {
            return List.of(Long.toString(count[0]));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Found::address)
                        .thenComparingInt(Found::length)
                        .thenComparing(row -> row.peer.toString()))
                .skip(question.skip())
                .limit(question.limit())
                .map(row -> Addresses.prefix(false, 0, row.address, row.length) + " " + row.originAs)
                .toList();
    }

    @Override
    public void close() {
        rib.close();
    }
}
