package dev.silkroute.rib;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RibTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final PeerEntry OTHER = BatchFeed.peer(2, RibView.ADJ_RIB_IN_PRE_POLICY);

    private final BatchFeed feed = new BatchFeed();
    private final Rib rib = new Rib(new RibConfig(1, 64L << 20, 100, 1));

    private RouteBatch table(long session, PeerEntry peer, int routes, int variant) {
        feed.begin("r", session);
        for (int i = 0; i < routes; i++) {
            feed.announce(
                    peer,
                    Family.IPV4_UNICAST,
                    null,
                    BatchFeed.ipv4(0x0A00_0000 + (i << 8), 24),
                    BatchFeed.attributes(1 + i % 50, variant));
        }
        return feed.build();
    }

    private List<RibRoute> routes() {
        List<RibRoute> routes = new ArrayList<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> routes.add(route.toRoute()));
        }
        return routes;
    }

    @Test
    void peerDownHidesAllRoutesAtOnce() {
        // Given
        rib.apply(table(1, PEER, 5000, 0));
        rib.apply(table(1, OTHER, 3, 0));
        // When
        rib.apply(feed.begin("r", 1).peerDown(PEER, true).build());
        // Then
        assertThat(rib.size()).isEqualTo(3);
        assertThat(routes()).hasSize(3).allMatch(route -> route.peer().bgpId() == 2);
        assertThat(rib.statistics().hidden()).isBetween(4000L, 5000L);
        // When
        while (rib.purge(100)) {}
        // Then
        assertThat(rib.statistics().hidden()).isZero();
        assertThat(rib.statistics().prefixes()).isEqualTo(3);
    }

    @Test
    void routesBecomeStaleAreConfirmedOrPurged() {
        // Given
        rib.apply(table(1, PEER, 100, 0));
        // When
        rib.apply(feed.begin("r", 1).event(EventKind.SESSION_DOWN).build());
        // Then
        assertThat(routes()).hasSize(100).allMatch(RibRoute::stale);
        // When the router comes back and sends half of them
        BatchOutcomes outcomes = new BatchOutcomes();
        rib.apply(table(2, PEER, 50, 0), outcomes);
        // Then
        assertThat(outcomes.count(RouteOutcome.CONFIRMED)).isEqualTo(50);
        assertThat(routes().stream().filter(RibRoute::stale)).hasSize(50);
        // When
        rib.apply(feed.begin("r", 2).endOfRib(PEER, Family.IPV4_UNICAST).build());
        while (rib.purge(10)) {}
        // Then
        assertThat(routes()).hasSize(50).noneMatch(RibRoute::stale);
    }

    @Test
    void aTableIsSynchronizedFromItsEndOfRibUntilThePeerOrTheRouterStartsAgain() {
        // Given a table that is being sent
        rib.apply(feed.begin("r", 1).event(EventKind.SESSION_UP).build());
        rib.apply(table(1, PEER, 10, 0));
        rib.apply(table(1, OTHER, 10, 0));
        assertThat(routes()).hasSize(20).noneMatch(RibRoute::tableSynchronized);
        // When
        rib.apply(feed.begin("r", 1).endOfRib(PEER, Family.IPV4_UNICAST).build());
        // Then
        assertThat(routes())
                .hasSize(20)
                .allMatch(route -> route.tableSynchronized() == (route.peer().bgpId() == PEER.bgpId()));
        // When another table ends before it has a route
        rib.apply(feed.begin("r", 1).peerDown(OTHER, true).build());
        rib.apply(feed.begin("r", 1).endOfRib(OTHER, 0).build());
        rib.apply(table(1, OTHER, 10, 0));
        // Then
        assertThat(routes()).hasSize(20).allMatch(RibRoute::tableSynchronized);
        // When a peer starts again
        rib.apply(feed.begin("r", 1).peerDown(OTHER, true).build());
        rib.apply(table(1, OTHER, 10, 0));
        // Then
        assertThat(routes().stream().filter(RibRoute::tableSynchronized)).hasSize(10);
        // When the session is lost, and the router starts a new one
        rib.apply(feed.begin("r", 1).event(EventKind.SESSION_DOWN).build());
        assertThat(routes().stream().filter(RibRoute::tableSynchronized)).hasSize(10);
        rib.apply(feed.begin("r", 2).event(EventKind.SESSION_UP).build());
        // Then
        assertThat(routes()).hasSize(20).noneMatch(RibRoute::tableSynchronized);
    }

    @Test
    void lateEventsCountFromTheirArrival() {
        // Given
        long hour = 3_600_000_000L;
        rib.apply(table(1, PEER, 10, 0));
        rib.apply(table(1, OTHER, 10, 0));
        rib.expire(10 * hour, 24 * hour, hour);
        // When an old session is reported late, and its tables have not arrived yet
        rib.apply(feed.begin("c", "r", 2, 2 * hour).event(EventKind.SESSION_UP).build());
        rib.apply(table(2, PEER, 10, 0));
        // Then
        assertThat(rib.expire(11 * hour - 1, 24 * hour, hour)).isZero();
        assertThat(rib.size()).isEqualTo(20);
        assertThat(rib.expire(11 * hour + 1, 24 * hour, hour)).isOne();
        assertThat(routes()).hasSize(10).noneMatch(RibRoute::stale);
        // When its old end is reported
        rib.apply(
                feed.begin("c", "r", 2, 3 * hour).event(EventKind.SESSION_DOWN).build());
        // Then
        assertThat(rib.expire(35 * hour, 24 * hour, hour)).isZero();
        assertThat(rib.expire(36 * hour, 24 * hour, hour)).isOne();
        assertThat(rib.size()).isZero();
    }

    @Test
    void givenANewerSessionThenEventsOfAnOlderOneAreIgnoredAlsoInViewsThatItHasNotMentioned() {
        // Given
        rib.apply(table(1, PEER, 10, 0));
        rib.apply(feed.begin("r", 2).event(EventKind.SESSION_UP).build());
        BatchOutcomes outcomes = new BatchOutcomes();
        // When
        rib.apply(table(1, PEER, 20, 1), outcomes);
        rib.apply(feed.begin("r", 1).peerDown(PEER, true).build());
        rib.apply(feed.begin("r", 2).event(EventKind.SESSION_DOWN).build());
        rib.apply(feed.begin("r", 1).peerDown(PEER, true).build());
        // Then
        assertThat(outcomes.count(RouteOutcome.IGNORED)).isEqualTo(20);
        assertThat(routes()).hasSize(10).allMatch(RibRoute::stale);
    }

    @Test
    void redecodedBatchesAreIgnored() {
        // Given
        RouteBatch again =
                RouteBatch.read(RouteBatch.asRedecoded(table(1, PEER, 10, 0).bytes()));
        BatchOutcomes outcomes = new BatchOutcomes();
        // When
        rib.apply(again, outcomes);
        // Then
        assertThat(rib.size()).isZero();
        assertThat(outcomes.count(RouteOutcome.IGNORED)).isEqualTo(10);
    }

    @Test
    void rejectsRoutesAtTheMemoryBoundAndReportsIt() {
        // Given
        Random random = new Random(1);
        long limit = 32L << 20;
        try (Rib small = new Rib(new RibConfig(1, limit, 100, 1000))) {
            // When
            BatchOutcomes outcomes = new BatchOutcomes();
            for (int i = 0; i < 300 && !small.statistics().hasRejected(); i++) {
                feed.begin("r", 1);
                for (int j = 0; j < 1000; j++) {
                    feed.announce(
                            PEER,
                            Family.IPV4_UNICAST,
                            null,
                            BatchFeed.ipv4(random.nextInt(), 32),
                            BatchFeed.attributes(random.nextInt(), 0));
                }
                small.apply(feed.build(), outcomes);
            }
            // Then
            RibStatistics full = small.statistics();
            assertThat(full.hasRejected()).isTrue();
            assertThat(outcomes.count(RouteOutcome.REJECTED)).isPositive();
            assertThat(full.rejectedTotal()).isEqualTo(full.rejected());
            assertThat(full.reservedBytes()).isLessThanOrEqualTo(limit);
            assertThat(full.routes()).isGreaterThan(10_000);
            // When
            small.apply(feed.begin("r", 1).peerDown(PEER, true).build());
            while (small.purge(100_000)) {}
            small.apply(
                    feed.begin("r", 1)
                            .announce(
                                    PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(7, 32), BatchFeed.attributes(1, 1))
                            .build(),
                    outcomes);
            // Then
            assertThat(outcomes.of(0)).isEqualTo(RouteOutcome.NEW);
            assertThat(small.statistics().hasRejected()).isFalse();
        }
    }

    @Test
    void theRouterWithMostRoutesLosesItsLargestTableWhenOthersNeedRoom() {
        long limit = 32L << 20;
        try (Rib small = new Rib(new RibConfig(1, limit, 100, 1000))) {
            announce(small, "good", 1, 0, 1000);
            assertThat(small.isIncomplete()).isFalse();
            for (int i = 0; i < 1000 && !small.statistics().hasRejected(); i++) {
                announce(small, "hog", 1, i * 1000, 1000);
            }
            announce(small, "good", 1, 1000, 1);
            assertThat(small.statistics().evicted()).isGreaterThan(10_000);
            while (small.purge(100_000)) {}
            BatchOutcomes outcomes = announce(small, "good", 1, 2000, 1000);
            assertThat(outcomes.count(RouteOutcome.NEW)).isEqualTo(1000);
            assertThat(small.size()).isLessThan(2100);
            assertThat(small.isIncomplete()).isTrue();
            outcomes = announce(small, "hog", 1, 0, 10);
            assertThat(outcomes.count(RouteOutcome.REJECTED))
                    .as("in the same session")
                    .isEqualTo(10);
            outcomes = announce(small, "hog", 2, 0, 10);
            assertThat(outcomes.count(RouteOutcome.NEW))
                    .as("in its next session")
                    .isEqualTo(10);
        }
    }

    private BatchOutcomes announce(Rib rib, String router, long session, int from, int count) {
        BatchOutcomes outcomes = new BatchOutcomes();
        feed.begin(router, session);
        for (int i = from; i < from + count; i++) {
            byte[] prefix = BatchFeed.ipv4(0x0A000000 + i, 32);
            feed.announce(PEER, Family.IPV4_UNICAST, null, prefix, BatchFeed.attributes(i, 0));
        }
        rib.apply(feed.build(), outcomes);
        return outcomes;
    }

    @Test
    void peersCountAsMemory() {
        try (Rib small = new Rib(new RibConfig(1, 16L << 20, 1 << 20, 1000))) {
            for (int i = 0; i < 40; i++) {
                feed.begin("r", 1);
                for (int j = 0; j < 1000; j++) {
                    PeerEntry peer = BatchFeed.peer(i * 1000 + j, RibView.ADJ_RIB_IN_PRE_POLICY);
                    feed.announce(peer, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 8), BatchFeed.attributes(1, 0));
                }
                small.apply(feed.build());
            }
            RibStatistics full = small.statistics();
            assertThat(full.peers()).isBetween(1000L, 30_000L);
            assertThat(full.reservedBytes()).isLessThanOrEqualTo(full.limitBytes());
            assertThat(full.hasRejected()).isTrue();
        }
    }

    @Test
    void rejectsRoutesAtTheBoundWhereFewPrefixesHaveManyRoutes() {
        // Given
        long limit = 32L << 20;
        try (Rib small = new Rib(new RibConfig(1, limit, 100, 1000))) {
            // When
            int id = 0;
            while (id < 2_000_000 && !small.statistics().hasRejected()) {
                feed.begin("r", 1);
                for (int j = 0; j < 1000; j++, id++) {
                    feed.announce(
                            PEER,
                            Family.IPV4_UNICAST,
                            id,
                            BatchFeed.ipv4(0x0A000000 + (id % 10 << 16), 16),
                            BatchFeed.attributes(1, 0));
                }
                small.apply(feed.build());
            }
            // Then
            RibStatistics full = small.statistics();
            assertThat(full.hasRejected()).isTrue();
            assertThat(full.routes() + full.rejectedTotal()).isEqualTo(id);
            assertThat(full.routes()).isGreaterThan(100_000);
            assertThat(full.reservedBytes()).isLessThanOrEqualTo(limit);
            // When
            small.apply(feed.begin("r", 1).peerDown(PEER, true).build());
            while (small.purge(100_000)) {}
            // Then
            assertThat(small.statistics().prefixes()).isZero();
        }
    }

    @Test
    void findsTheLongestPrefixThatMeetsTheCondition() {
        // Given
        byte[] set = BatchFeed.attributes(1, 0);
        rib.apply(feed.begin("r", 1)
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 0), set)
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A000000, 8), set)
                .announce(OTHER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A010000, 16), set)
                .announce(OTHER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A010180, 25), set)
                .build());
        RouteView route = new RouteView();
        try (RibReader reader = rib.reader();
                RibReader.Section section = reader.enter()) {
            // When, then
            assertThat(reader.longestMatch(Family.IPV4_UNICAST, 0, 0, 0x0A0101FFL, RouteCondition.ANY, route))
                    .isTrue();
            assertThat(route.nlri()).isEqualTo("10.1.1.128/25");
            RouteCondition ofPeer = RouteCondition.of(RibPeer.of("r", PEER), RibView.ADJ_RIB_IN_PRE_POLICY);
            assertThat(reader.longestMatch(Family.IPV4_UNICAST, 0, 0, 0x0A0101FFL, ofPeer, route))
                    .isTrue();
            assertThat(route.nlri()).isEqualTo("10.0.0.0/8");
            assertThat(reader.longestMatch(Family.IPV4_UNICAST, 0, 0, 0x0B000000L, ofPeer, route))
                    .isTrue();
            assertThat(route.nlri()).isEqualTo("0.0.0.0/0");
            assertThat(reader.longestMatch(Family.IPV4_MULTICAST, 0, 0, 0x0B000000L, ofPeer, route))
                    .isFalse();
        }
    }

    @Test
    void aLongRouteListKeepsItsOrderWhenRoutesAreRemoved() {
        // Given
        long seed = 7;
        Random random = new Random(seed);
        byte[] nlri = BatchFeed.ipv4(0x0A000000, 8);
        List<Integer> expected = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            // When routes of one prefix are added and removed, repeatedly up to several dozens and down to none
            int id = random.nextInt(64);
            boolean there = expected.remove(Integer.valueOf(id));
            boolean more = random.nextInt(100) < (step / 200 % 2 == 0 ? 80 : 20);
            feed.begin("r", 1);
            if (there) {
                rib.apply(feed.withdraw(PEER, Family.IPV4_UNICAST, id, nlri).build());
            } else if (more) {
                rib.apply(feed.announce(PEER, Family.IPV4_UNICAST, id, nlri, BatchFeed.attributes(1, 0))
                        .build());
                expected.addFirst(id);
            }
            // Then
            List<Integer> found = new ArrayList<>();
            try (RibReader reader = rib.reader();
                    RibReader.Section section = reader.enter()) {
                reader.routesOf(Family.IPV4_UNICAST, 0, 0, 0x0A000000L, 8, route -> found.add(route.pathId()));
            }
            assertThat(found).as("seed %s, step %s", seed, step).isEqualTo(expected);
        }
    }

    @Test
    void readersFindRoutesThatStayWhileOthersChange() throws Exception {
        // Given routes of one peer that stay, and more specific and shorter ones of another that come and go
        BatchFeed still = feed.begin("r", 1);
        for (int i = 0; i < 300; i++) {
            still.announce(
                    PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 20, 14), BatchFeed.attributes(1 + i, 0));
        }
        rib.apply(still.build());
        RouteCondition ofPeer = RouteCondition.of(RibPeer.of("r", PEER), RibView.ADJ_RIB_IN_PRE_POLICY);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong lookups = new AtomicLong();
        AtomicLong missing = new AtomicLong();
        Thread looker = Thread.ofPlatform().start(() -> {
            try (RibReader reader = rib.reader()) {
                RouteView route = new RouteView();
                for (int i = 0; !stop.get(); i = (i + 1) % 300) {
                    boolean[] exact = {false};
                    try (RibReader.Section section = reader.enter()) {
                        boolean found = reader.longestMatch(Family.IPV4_UNICAST, 0, 0, i << 20 | 5, ofPeer, route)
                                && route.prefixLength() == 14
                                && route.originAs() == 1 + i;
                        reader.routesOf(Family.IPV4_UNICAST, 0, 0, i << 20, 14, r -> exact[0] |= ofPeer.test(r));
                        missing.addAndGet(found && exact[0] ? 0 : 1);
                    }
                    lookups.incrementAndGet();
                }
            }
        });
        // When
        Random random = new Random(1);
        for (int i = 0; i < 400; i++) {
            feed.begin("r", 1);
            for (int j = 0; j < 200; j++) {
                byte[] nlri = BatchFeed.ipv4(random.nextInt(300) << 20, 8 + random.nextInt(24));
                if (random.nextBoolean()) {
                    feed.announce(
                            OTHER, Family.IPV4_UNICAST, null, nlri, BatchFeed.attributes(1000, random.nextInt(8)));
                } else {
                    feed.withdraw(OTHER, Family.IPV4_UNICAST, null, nlri);
                }
            }
            if (i % 50 == 49) {
                feed.peerDown(OTHER, true);
            }
            rib.apply(feed.build());
        }
        stop.set(true);
        looker.join();
        // Then
        assertThat(lookups.get()).isGreaterThan(1000);
        assertThat(missing.get()).as("of %d lookups", lookups.get()).isZero();
    }

    @Test
    void aRouteOfAnOlderSessionIsRejectedWithoutMemoryForItsSession() {
        // Given a page of routes of one session, and no memory
        BatchOutcomes outcomes = new BatchOutcomes();
        byte[] attributes = BatchFeed.attributes(1, 0);
        feed.begin("r", 1);
        for (int i = 0; i < 10; i++) {
            feed.announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 8, 24), attributes);
        }
        rib.apply(feed.build());
        MemoryBudget memory = rib.shards()[0].stores.memory;
        long available = memory.available();
        memory.reserve(available);
        // When another session announces two of them, the second one with memory
        rib.apply(
                feed.begin("r", 2)
                        .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 24), attributes)
                        .build(),
                outcomes);
        assertThat(outcomes.count(RouteOutcome.REJECTED)).isEqualTo(1);
        assertThat(rib.size()).isEqualTo(9);
        assertThat(rib.statistics().hasRejected()).isTrue();
        memory.reserve(-available);
        rib.apply(
                feed.begin("r", 2)
                        .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(1 << 8, 24), attributes)
                        .build(),
                outcomes);
        // Then only the first one is missing
        assertThat(outcomes.count(RouteOutcome.CONFIRMED)).isEqualTo(1);
        assertThat(rib.size()).isEqualTo(9);
    }

    @Test
    void aLongestMatchHasTheAttributesOfItsOwnRoute() throws Exception {
        // Given two peers with routes of the same prefixes, which change, come and go, and the origin AS of which is
        // the peer's
        int[] origins = {1, 2};
        PeerEntry[] peers = {PEER, OTHER};
        RibPeer first = RibPeer.of("r", PEER);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong found = new AtomicLong();
        AtomicLong mixed = new AtomicLong();
        Thread looker = Thread.ofPlatform().start(() -> {
            try (RibReader reader = rib.reader()) {
                RouteView route = new RouteView();
                for (int i = 0; !stop.get(); i = (i + 1) % 8) {
                    try (RibReader.Section section = reader.enter()) {
                        if (reader.longestMatch(Family.IPV4_UNICAST, 0, 0, i << 20 | 5, RouteCondition.ANY, route)) {
                            found.incrementAndGet();
                            int expected = route.peer().equals(first) ? 1 : 2;
                            mixed.addAndGet(route.originAs() == expected ? 0 : 1);
                        }
                    }
                }
            }
        });
        // When
        Random random = new Random(1);
        for (int i = 0; i < 2000 || found.get() < 10_000; i++) {
            feed.begin("r", 1);
            for (int j = 0; j < 50; j++) {
                int peer = random.nextInt(2);
                byte[] nlri = BatchFeed.ipv4(random.nextInt(8) << 20, 14);
                if (random.nextInt(3) > 0) {
                    byte[] attributes = BatchFeed.attributes(origins[peer], random.nextInt(8));
                    feed.announce(peers[peer], Family.IPV4_UNICAST, null, nlri, attributes);
                } else {
                    feed.withdraw(peers[peer], Family.IPV4_UNICAST, null, nlri);
                }
            }
            rib.apply(feed.build());
        }
        stop.set(true);
        looker.join();
        // Then
        assertThat(mixed.get()).as("of %d lookups", found.get()).isZero();
    }

    @Test
    void updatesAllocateNothing() {
        // Given a table that has had every update once
        List<RouteBatch> updates = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            updates.add(table(1, PEER, 5000, i));
            feed.begin("r", 1);
            for (int j = i; j < 5000; j += 3) {
                feed.withdraw(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A00_0000 + (j << 8), 24));
            }
            updates.add(feed.build());
        }
        BatchOutcomes outcomes = new BatchOutcomes();
        for (int i = 0; i < 200; i++) {
            rib.apply(updates.get(i % 8), outcomes);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        // When
        long before = threads.getCurrentThreadAllocatedBytes();
        long events = 0;
        for (int i = 0; i < 80; i++) {
            rib.apply(updates.get(i % 8), outcomes);
            events += outcomes.size();
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        // Then only a cursor is allocated for each batch
        assertThat(bytes / 80)
                .as("bytes per batch of " + events / 80 + " events")
                .isLessThan(2000);
    }

    /** {@code distinct()} and sets of routes are as fast for routes that a router has chosen as for any others. */
    @Test
    void routesWhoseUnkeyedHashesAreEqualAreSpread() {
        Rib large = new Rib(new RibConfig(1, 256L << 20, 100, 1));
        feed.begin("r", 1);
        for (int i = 0; i < KEYS; i++) {
            byte[] prefix = BatchFeed.prefix(folded(i), 0, 64);
            feed.announce(PEER, Family.IPV6_UNICAST, null, prefix, BatchFeed.attributes(1, 0));
        }
        large.apply(feed.build());
        List<RibRoute> all = new ArrayList<>();
        try (RibReader reader = large.reader()) {
            reader.forEach(route -> all.add(route.toRoute()));
        }
        assertThat(all).hasSize(KEYS);
        assertSpread(i -> all.get(i).hashCode());
    }
}
