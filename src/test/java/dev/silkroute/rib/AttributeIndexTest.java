package dev.silkroute.rib;

import static dev.silkroute.rib.query.RouteFields.AS_PATH;
import static dev.silkroute.rib.query.RouteFields.COMMUNITY;
import static dev.silkroute.rib.query.RouteFields.LARGE_COMMUNITY;
import static dev.silkroute.rib.query.RouteFields.ORIGIN_AS;
import static dev.silkroute.rib.query.RouteFields.PEER;
import static dev.silkroute.rib.query.RouteFields.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.query.RoutePredicate;
import dev.silkroute.rib.query.RouteQuery;
import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries by values of attributes, whose index follows the routes, compared with a test of every route. */
class AttributeIndexTest {
    private static final PeerEntry PEER_1 = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final PeerEntry PEER_2 = BatchFeed.peer(2, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final String BY_INDEX = "index of attributes";

    private static Map<RibRoute, Integer> counted(Collection<RibRoute> routes) {
        Map<RibRoute, Integer> counts = new HashMap<>();
        routes.forEach(route -> counts.merge(route, 1, Integer::sum));
        return counts;
    }

    private static List<RibRoute> tested(Rib rib, RoutePredicate predicate) {
        List<RibRoute> routes = new ArrayList<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (predicate.test(route)) {
                    routes.add(route.toRoute());
                }
            });
        }
        return routes;
    }

    private static RoutePredicate predicate(Random random) {
        int origin = 1 + random.nextInt(30);
        return switch (random.nextInt(6)) {
            case 0 -> ORIGIN_AS.equal(origin);
            case 1 -> AS_PATH.contains(origin);
            case 2 -> COMMUNITY.contains(origin + ":" + random.nextInt(3));
            case 3 -> LARGE_COMMUNITY.contains(origin + ":1:7");
            case 4 -> AS_PATH.contains(65000 + random.nextInt(4)).and(ORIGIN_AS.equal(origin));
            default ->
                ORIGIN_AS
                        .equal(origin)
                        .and(PEER.equal(RibPeer.of("r1", BatchFeed.peer(random.nextInt(4), RibView.LOC_RIB))));
        };
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,3", "4,2"})
    void followsEveryChange(long seed, int shards) {
        // Given
        Random random = new Random(seed);
        RandomEvents events = new RandomEvents(random, 1_000_000);
        int byIndex = 0;
        try (Rib rib = new Rib(new RibConfig(shards, 64L << 20, 1000, 1 + random.nextInt(50)))) {
            RouteQuery query = new RouteQuery(rib);
            for (int step = 0; step < 400; step++) {
                // When
                rib.apply(events.next());
                if (random.nextInt(5) == 0) {
                    rib.purge(1 + random.nextInt(100));
                }
                // Then
                RoutePredicate predicate = predicate(random);
                String about = "seed " + seed + ", step " + step + ", " + predicate;
                List<RibRoute> expected = tested(rib, predicate);
                var found = query.routes().filter(predicate);
                assertThat(counted(found.toList())).as(about).isEqualTo(counted(expected));
                assertThat(found.count()).as(about).isEqualTo(expected.size());
                List<RibRoute> page = found.sortedByPrefix()
                        .skip(1)
                        .limit(3)
                        .map(route -> route)
                        .toList();
                assertThat(page)
                        .as(about)
                        .hasSize(Math.clamp(expected.size() - 1, 0, 3))
                        .isSortedAccordingTo(PREFIX.comparator());
                byIndex += found.explain().contains(BY_INDEX) ? 1 : 0;
            }
        }
        assertThat(byIndex).isGreaterThan(100);
    }

    @Test
    void pagesOfRoutesOfOnePrefixDoNotOverlap() {
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 1000, 100))) {
            // Given 20 routes of one prefix, and others
            BatchFeed feed = new BatchFeed().begin("r", 1);
            for (int i = 0; i < 2000; i++) {
                feed.announce(
                        PEER_1, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 12, 24), BatchFeed.attributes(9, i % 4));
            }
            for (int i = 0; i < 20; i++) {
                feed.announce(PEER_2, Family.IPV4_UNICAST, i, BatchFeed.ipv4(77 << 12, 24), BatchFeed.attributes(7, 0));
            }
            rib.apply(feed.build());
            // When
            Set<RibRoute> found = new HashSet<>();
            var routes = new RouteQuery(rib).routes().filter(ORIGIN_AS.equal(7)).sorted(PREFIX.comparator());
            for (int skip = 0; skip < 20; skip += 3) {
                found.addAll(routes.skip(skip).limit(3).toList());
            }
            // Then
            assertThat(found).hasSize(20);
        }
    }

    @Test
    void queriesFindEveryRouteThatStaysWhileOthersComeAndGo() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 1000, 50));
                var threads = Executors.newFixedThreadPool(2)) {
            // Given 100 routes among those that change
            BatchFeed feed = new BatchFeed();
            feed.begin("r", 1);
            for (int i = 0; i < 1000; i++) {
                int origin = i % 10 == 0 ? 7 : 8 + i % 3;
                feed.announce(
                        PEER_1,
                        Family.IPV4_UNICAST,
                        null,
                        BatchFeed.ipv4(i << 12, 24),
                        BatchFeed.attributes(origin, 0));
            }
            rib.apply(feed.build());
            RouteQuery query = new RouteQuery(rib);
            // When
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(threads.submit(() -> {
                    while (!done.get()) {
                        // Then
                        List<RibRoute> found =
                                query.routes().filter(ORIGIN_AS.equal(7)).toList();
                        assertThat(found).doesNotHaveDuplicates().hasSize(100);
                        assertThat(query.routes().filter(AS_PATH.contains(9)).toList())
                                .allMatch(route -> route.originAs() == 9);
                    }
                }));
            }
            Random random = new Random(5);
            for (int step = 0; step < 3000; step++) {
                feed.begin("r", 1);
                for (int i = 0; i < 20; i++) {
                    int number = random.nextInt(1000);
                    byte[] nlri = BatchFeed.ipv4(number << 12, 24);
                    if (number % 10 == 0) {
                        continue;
                    }
                    if (random.nextBoolean()) {
                        feed.withdraw(PEER_1, Family.IPV4_UNICAST, null, nlri);
                    } else {
                        feed.announce(
                                PEER_1,
                                Family.IPV4_UNICAST,
                                null,
                                nlri,
                                BatchFeed.attributes(8 + random.nextInt(3), 0));
                    }
                    feed.announce(PEER_2, Family.IPV4_UNICAST, null, nlri, BatchFeed.attributes(9, 1));
                }
                if (step % 50 == 0) {
                    feed.peerDown(PEER_2, false);
                }
                rib.apply(feed.build());
            }
            done.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
    }

    private static void announce(Rib rib, int from, int to) {
        BatchFeed feed = new BatchFeed().begin("r", 1);
        for (int i = from; i < to; i++) {
            feed.announce(
                    PEER_1, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 12, 24), BatchFeed.attributes(i / 2, 0));
        }
        rib.apply(feed.build());
    }

    @Test
    void anIndexThatIsTooLargeIsDroppedAndMadeAgainForFewerRoutes() {
        int limit = 20_000;
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 1000, 100, limit))) {
            var routes = new RouteQuery(rib).routes().filter(AS_PATH.contains(500));
            // Given
            announce(rib, 0, 1200);
            assertThat(routes.toList()).hasSize(2);
            assertThat(routes.explain()).contains(BY_INDEX);
            assertThat(rib.statistics().indexBytes()).isPositive();
            // When
            announce(rib, 1200, 6000);
            // Then
            assertThat(routes.toList()).hasSize(2);
            assertThat(routes.explain()).doesNotContain(BY_INDEX);
            assertThat(rib.statistics().indexBytes()).isZero();
            // When
            BatchFeed feed = new BatchFeed().begin("r", 1);
            for (int i = 1200; i < 6000; i++) {
                feed.withdraw(PEER_1, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 12, 24));
            }
            rib.apply(feed.build());
            // Then
            assertThat(routes.toList()).hasSize(2);
            assertThat(routes.explain()).contains(BY_INDEX);
            assertThat(rib.statistics().indexBytes()).isBetween(1L, (long) limit);
        }
    }

    @Test
    void withoutMemoryForAnIndexEveryRouteIsTested() {
        try (Rib rib = new Rib(new RibConfig(2, 64L << 20, 1000, 100, 0))) {
            announce(rib, 0, 3000);
            var routes = new RouteQuery(rib).routes().filter(ORIGIN_AS.equal(500));
            assertThat(routes.toList()).hasSize(2);
            assertThat(routes.sortedByPrefix().toList()).hasSize(2);
            assertThat(routes.explain()).doesNotContain(BY_INDEX);
            assertThat(rib.statistics().indexBytes()).isZero();
        }
    }

    @Test
    void aValueOfManyRoutesIsNotFoundByTheIndex() {
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 1000, 100))) {
            announce(rib, 0, 6000);
            var routes = new RouteQuery(rib).routes().filter(AS_PATH.contains(65000));
            assertThat(routes.toList()).hasSize(6000);
            assertThat(routes.explain()).doesNotContain(BY_INDEX);
        }
    }
}
