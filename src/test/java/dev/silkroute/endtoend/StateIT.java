package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.load.DecodedLoad;
import dev.silkroute.load.ExpectedTable;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a station with routers that disconnect, return with another table, or never send End-of-RIB. */
class StateIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String ROUTES =
            "SELECT host(peer_address), rib_view, family, nlri, as_path FROM bmp.v_rib WHERE router = 'load-0001'";
    private static final String STALE =
            "SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib WHERE router = 'load-0001'";
    private static final String ROWS = "SELECT md5(string_agg(xmin::text || ctid::text || route_id, ' '"
            + " ORDER BY route_id)) FROM bmp.rib_route";
    private static final String EVENTS = "SELECT count(*) FROM bmp.v_route_history";
    /** Counts tables that are being dumped, or whose remaining routes are being withdrawn. */
    private static final String UNSETTLED = "SELECT (SELECT count(*) FROM bmp.rib_confirmed)"
            + " + (SELECT count(*) FROM bmp.rib_resync) + (SELECT count(*) FROM bmp.rib_ended)";
    /** Returns the last event of each route in history. */
    private static final String TOLD = "SELECT peer, rib_view, family, nlri, as_path FROM (SELECT DISTINCT ON"
            + " (peer_address, rib_view, family, nlri) host(peer_address) AS peer, rib_view, family, nlri, as_path, event"
            + " FROM bmp.v_route_history WHERE router = 'load-0001' ORDER BY peer_address, rib_view, family, nlri,"
            + " session_id DESC, received_at DESC, sequence DESC) last WHERE event = 'announce'";

    @TempDir
    private static Path folder;

    private static LoadRouter router(long seed, int prefixes, boolean down) {
        return TestLoad.of(seed, 2, prefixes)
                .families(Family.IPV4_UNICAST, Family.VPNV4)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                .down(down)
                .router();
    }

    /** Returns a router that has sent its table. */
    private static LoadRouter afterDump(long seed, int prefixes) {
        LoadRouter router = router(seed, prefixes, false);
        DecodedLoad.bytes(router);
        return router;
    }

    private static List<String> expected(LoadRouter router) {
        List<String> routes = new ArrayList<>();
        ExpectedTable.of(router)
                .forEach(rib -> rib.forEach(route -> routes.add(String.join(
                        "|",
                        rib.peerAddress(),
                        rib.view().text(),
                        Family.text(rib.family()),
                        route.nlri(),
                        route.asPath()))));
        return routes;
    }

    private static void awaitRow(StationProcess station, String query, String row) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(station.sql(query)).containsExactly(row));
    }

    private static void awaitRoutes(StationProcess station, LoadRouter router) {
        List<String> routes = expected(router).stream().sorted().toList();
        awaitRow(station, STALE, routes.size() + "|0");
        awaitRow(station, UNSETTLED, "0");
        assertThat(station.sql(ROUTES).stream().sorted()).containsExactlyElementsOf(routes);
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql(TOLD).stream().sorted()).containsExactlyElementsOf(routes));
    }

    @Test
    void givenARouterThatReconnectsThenItsTableIsRestoredAndHistoryHasTheChanges() throws Exception {
        try (StationProcess station = StationProcess.startOnSharedServers(folder.resolve("data"))) {
            LoadRouter first = router(1, 300, false);
            byte[] table = DecodedLoad.bytes(first);
            try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                connection.send(table);
                awaitRoutes(station, first);
            }
            int size = expected(first).size();
            awaitRow(station, STALE, size + "|" + size);
            awaitRow(station, "SELECT DISTINCT state FROM bmp.v_peers", "stale");
            awaitRow(station, "SELECT state FROM bmp.v_routers", "disconnected");
            String rows = station.sql(ROWS).getFirst();
            String events = station.sql(EVENTS).getFirst();
            assertThat(events).isEqualTo(Integer.toString(size));

            // When: it reconnects with the same table
            try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                connection.send(table);
                awaitRow(station, "SELECT DISTINCT state FROM bmp.v_peers", "up");
                awaitRoutes(station, first);
            }
            assertThat(station.sql(ROWS)).containsExactly(rows);
            assertThat(station.sql(EVENTS)).containsExactly(events);

            // When: it reconnects with another table and is lost during the dump, twice, and then sends a third table
            for (long seed = 2; seed <= 3; seed++) {
                byte[] other = DecodedLoad.bytes(router(seed, 200, false));
                try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                    connection.send(other, 0, other.length / 2, 65_536);
                    awaitRow(
                            station,
                            "SELECT count(*) > 100 FROM bmp.v_rib WHERE NOT stale AND session_id = (SELECT"
                                    + " max(session_id) FROM bmp.live_session WHERE live)",
                            "t");
                }
                awaitRow(station, "SELECT state FROM bmp.v_routers", "disconnected");
            }
            byte[] third = DecodedLoad.bytes(router(4, 400, false));
            byte[] end = DecodedLoad.bytes(router(4, 400, true));
            try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
                connection.send(third);
                awaitRoutes(station, afterDump(4, 400));
                // Then: every synthetic withdrawal concerns an existing route
                assertThat(station.sql(
                                "SELECT count(*) > 0, count(*) = count(*) FILTER (WHERE before = 'announce') FROM"
                                        + " (SELECT synthetic, lag(event) OVER (PARTITION BY peer_address, rib_view,"
                                        + " family, nlri ORDER BY session_id, received_at, sequence) AS before FROM"
                                        + " bmp.v_route_history) t WHERE synthetic"))
                        .containsExactly("t|t");

                // Then: the rebuilt state is the same, and a row that was lost is restored
                assertThat(rebuilt(station))
                        .endsWith("; corrected 0 missing, 0 extra and 0 different rows of the state\n");
                station.sql("DELETE FROM bmp.rib_route WHERE family = 257 RETURNING 1");
                assertThat(rebuilt(station))
                        .endsWith("missing, 0 extra and 0 different rows of the state\n")
                        .doesNotContain("; 0 were");
                awaitRoutes(station, afterDump(4, 400));

                // When: its peers go down
                connection.send(end, third.length, end.length, 65_536);
                awaitRow(station, STALE, "0|0");
                awaitRow(station, UNSETTLED, "0");
                assertThat(station.sql("SELECT count(*) FROM bmp.rib_route")).containsExactly("0");
                assertThat(station.sql(TOLD)).isEmpty();
            }
        }
    }

    private static String rebuilt(StationProcess station) {
        StationProcess.Outcome outcome = StationProcess.command(
                "rebuild", "--data-dir", station.directory().toString());
        assertThat(outcome.stderr()).isEmpty();
        return outcome.stdout();
    }

    @Test
    void givenAStationKilledWhileItWithdrawsThenEachRouteIsWithdrawnOnceAndNeverSeenAgain() throws Exception {
        Map<String, String> slow = Map.of(
                "SILKROUTE_STATE_BATCH_SIZE",
                "10",
                "SILKROUTE_SESSION_END_OF_RIB_AFTER_QUIET",
                "2s",
                "SILKROUTE_WRITER_SESSION_TIMEOUT",
                "6s");
        byte[] stream = DecodedLoad.bytes(router(5, 1000, true));
        byte[] table = DecodedLoad.bytes(router(5, 1000, false));
        String size = Integer.toString(expected(afterDump(5, 1000)).size());
        StationProcess killed = StationProcess.startOnSharedServers(slow, folder.resolve("killed"));
        try (killed;
                TestRouter connection = TestRouter.connect(killed.bmpPort())) {
            connection.send(table);
            awaitRow(killed, STALE, size + "|0");
            connection.send(stream, table.length, stream.length, 65_536);
            awaitRow(killed, STALE, "0|0");
            assertThat(Integer.parseInt(
                            killed.sql("SELECT count(*) FROM bmp.rib_route").getFirst()))
                    .isPositive();
            killed.killHard();
        }
        try (StationProcess station = killed.startAgain(slow)) {
            assertThat(station.sql(STALE)).containsExactly("0|0");
            awaitRow(station, "SELECT count(*) FROM bmp.rib_route", "0");
            awaitRow(station, UNSETTLED, "0");
            awaitRow(station, "SELECT state FROM bmp.v_routers", "disconnected");
            assertThat(station.sql("SELECT count(*), count(DISTINCT (peer_address, rib_view, family, nlri))"
                            + " FROM bmp.v_route_history WHERE synthetic"))
                    .containsExactly(size + "|" + size);
            givenARouterThatNeverSendsEndOfRib(station);
        }
    }

    /** Routes that are not announced again are withdrawn when the table has been quiet. */
    private static void givenARouterThatNeverSendsEndOfRib(StationProcess station) throws Exception {
        String routes = "SELECT prefix, stale FROM bmp.v_rib WHERE router = 'r77' ORDER BY 1";
        byte[] begin = TestMessages.join(
                TestMessages.initiation("r77"), TestMessages.peerUp("192.0.2.77"), TestMessages.route(2));
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(TestMessages.join(begin, TestMessages.route(1)));
            await().atMost(LIMIT)
                    .untilAsserted(() ->
                            assertThat(station.sql(routes)).containsExactly("198.51.1.0/24|f", "198.51.2.0/24|f"));
        }
        awaitRow(station, "SELECT count(*) FROM bmp.v_rib WHERE router = 'r77' AND stale", "2");
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(begin);
            awaitRow(station, routes, "198.51.2.0/24|f");
            assertThat(station.sql("SELECT prefix, event, synthetic FROM bmp.v_route_history WHERE router = 'r77'"
                            + " ORDER BY session_id, sequence"))
                    .containsExactly(
                            "198.51.2.0/24|announce|f", "198.51.1.0/24|announce|f", "198.51.1.0/24|withdraw|t");
        }
    }
}
