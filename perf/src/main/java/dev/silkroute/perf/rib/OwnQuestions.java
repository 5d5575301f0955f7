package dev.silkroute.perf.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteView;
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
    private final RibPeer peer;
    private final int originAs;

    OwnQuestions(QueryTable table) {
        for (byte[] record : table.records()) {
            rib.apply(RouteBatch.read(record));
        }
        originAs = table.originAs();
        peer = rib.peers().get(QueryTable.PEER);
    }

    /** What the stream says. */
    List<String> answer(Question question) {
        return scan(question);
    }

    /** The same without text where a number is the answer. */
    long ask(Question question) {
        return answer(question).size();
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
        boolean page = question == Question.PAGE || question == Question.ORIGIN_PAGE;
        List<Found> found = new ArrayList<>();
        long[] count = {0};
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (wanted.test(route)) {
                    count[0]++;
                    if (page) {
                        found.add(new Found(route.addressLow(), route.prefixLength(), route.peer(), route.originAs()));
                    }
                }
            });
        }
        if (!page) {
            return List.of(Long.toString(count[0]));
        }
        boolean peers = question == Question.PAGE;
        return found.stream()
                .sorted(Comparator.comparingLong(Found::address)
                        .thenComparingInt(Found::length)
                        .thenComparing(row -> row.peer.toString()))
                .skip(peers ? 100 : 1)
                .limit(peers ? 20 : 5)
                .map(row -> Addresses.prefix(false, 0, row.address, row.length) + " " + row.originAs)
                .toList();
    }

    @Override
    public void close() {
        rib.close();
    }
}
