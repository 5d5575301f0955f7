package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cleared RIB behaves like a new one. */
class RibClearTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final int BATCHES = 120;

    private final BatchFeed feed = new BatchFeed();

    private RouteBatch table(long session, int routes) {
        feed.begin("r", session);
        for (int i = 0; i < routes; i++) {
            feed.announce(
                    PEER,
                    Family.IPV4_UNICAST,
                    null,
                    BatchFeed.ipv4(0x0A00_0000 + (i << 8), 24),
                    BatchFeed.attributes(1 + i, 0));
        }
        return feed.build();
    }

    private static Map<String, String> routes(Rib rib) {
        Map<String, String> routes = new TreeMap<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> routes.put(RibRandomWalkTest.text(route), RibRandomWalkTest.value(route)));
        }
        return routes;
    }

    @Test
    void batchesOfOlderSessionsCountAgainAfterClear() {
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 100, 1))) {
            List<RouteBatch> batches = List.of(table(1, 100), table(2, 10));
            batches.forEach(rib::apply);
            Map<String, String> before = routes(rib);
            assertThat(before).hasSize(100);

            rib.clear();

            assertThat(rib.size()).isZero();
            assertThat(routes(rib)).isEmpty();
            batches.forEach(rib::apply);
            assertThat(RibRandomWalkTest.differences(before, routes(rib))).isEmpty();
            assertThat(rib.size()).isEqualTo(100);
        }
    }

    @Test
    void aRouteStaysReadableWithinItsSection() {
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 100, 1000));
                RibReader reader = rib.reader()) {
            rib.apply(table(1, 100));
            RouteView view = new RouteView();
            try (RibReader.Section section = reader.enter()) {
                assertThat(reader.longestMatch(Family.IPV4_UNICAST, 0, 0, 0x0A000501L, RouteCondition.ANY, view))
                        .isTrue();
                rib.clear();
                for (int i = 0; i < 20; i++) {
                    rib.apply(table(1 + i, 500));
                    rib.clear();
                }
                while (rib.purge(1000)) {}
                assertThat(view.nlri()).isEqualTo("10.0.5.0/24");
                assertThat(view.originAs()).isEqualTo(6);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,3", "4,1", "5,2", "6,1"})
    void batchesAfterClearHaveTheSameEffectAsInANewRib(long seed, int shards) {
        Random random = new Random(seed);
        RibConfig config = new RibConfig(shards, 64L << 20, 1000, 1 + random.nextInt(50));
        try (Rib cleared = new Rib(config);
                Rib fresh = new Rib(config)) {
            RandomEvents before = new RandomEvents(random, 1_000_000);
            for (int i = 0; i < BATCHES; i++) {
                cleared.apply(before.next());
            }
            cleared.observeSession("r1", BatchFeed.peer(0, RibView.LOC_RIB), 1_000_000);
            // A view that has not ended: its session is reported again, and its End-of-RIB leaves routes to be purged.
            cleared.apply(feed.begin("r1", 1_000_001)
                    .endOfRib(BatchFeed.peer(0, RibView.LOC_RIB), 0)
                    .build());
            cleared.clear();
            assertThat(routes(cleared)).isEmpty();
            // Sessions get the same ids as before.
            RandomEvents after = new RandomEvents(random, 500_000);
            for (int i = 0; i < BATCHES; i++) {
                RouteBatch batch = after.next();
                cleared.apply(batch);
                fresh.apply(batch);
                if (random.nextInt(30) == 0) {
                    after.wait(2_000);
                    cleared.expire(after.now(), 10_000, 4_000);
                    fresh.expire(after.now(), 10_000, 4_000);
                }
            }
            while (cleared.purge(1000)) {}
            while (fresh.purge(1000)) {}
            String about = "seed " + seed + ", " + shards + " shards";
            assertThat(RibRandomWalkTest.differences(routes(fresh), routes(cleared)))
                    .as(about)
                    .isEmpty();
            assertThat(cleared.size()).as(about).isEqualTo(fresh.size());
            assertThat(cleared.statistics().hidden()).as(about).isZero();
            for (RibView view : RibView.values()) {
                for (int family : fresh.families()) {
                    assertThat(cleared.size(view, family)).as(about).isEqualTo(fresh.size(view, family));
                }
            }
        }
    }

    @Test
    void routesAreStaleAfterClearUntilTheRouterReportsItsSession() {
        try (Rib rib = new Rib(new RibConfig(1, 64L << 20, 100, 1000))) {
            rib.apply(feed.begin("r", 9).event(EventKind.SESSION_UP).build());
            rib.clear();
            rib.apply(table(3, 1));
            rib.apply(feed.begin("r", 3).event(EventKind.SESSION_DOWN).build());

            try (RibReader reader = rib.reader()) {
                reader.forEach(route -> assertThat(route.stale()).isTrue());
            }
            rib.apply(feed.begin("r", 4).event(EventKind.SESSION_UP).build());
            rib.apply(table(4, 1));
            try (RibReader reader = rib.reader()) {
                reader.forEach(route -> assertThat(route.stale()).isFalse());
            }
        }
    }
}
