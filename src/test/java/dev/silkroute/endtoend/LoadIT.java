package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.load.ExpectedRoute;
import dev.silkroute.load.ExpectedTable;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.RouteRow;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code silkroute load} against a station and compares its routes and history with the generator's expectations.
 */
class LoadIT {
    @TempDir
    private static Path folder;

    /** The routes and events that a station should hold after the sessions of a profile. */
    private static final class Expected {
        final List<String> routes = new ArrayList<>();
        final Map<String, Long> quarantined = new TreeMap<>();
        long announced;
        long withdrawn;

        Expected(LoadProfile profile) {
            for (int i = 0; i < profile.routers(); i++) {
                LoadRouter router = new LoadPlan(profile).router(i);
                ByteSink sink = new ByteSink();
                while (router.next(sink) > 0) {
                    sink.reset();
                }
                announced += router.announced();
                withdrawn += router.withdrawn();
                ExpectedTable.of(router).forEach(table -> table.forEach(route -> routes.add(row(table, route))));
                router.malformedCounts()
                        .quarantined()
                        .forEach((type, count) -> quarantined.merge(type.text(), count, Long::sum));
            }
        }

        private static String row(ExpectedTable table, ExpectedRoute route) {
            return String.join(
                    "|",
                    table.router(),
                    table.peerAddress(),
                    table.view().text(),
                    Family.text(table.family()),
                    route.nlri(),
                    Integer.toString(route.pathId()),
                    RouteRow.of(route));
        }

        void awaitIn(StationProcess station) {
            await().untilAsserted(() -> assertThat(station.sql("SELECT event, count(DISTINCT (session_id, sequence))"
                            + " FROM bmp.v_route_history WHERE NOT synthetic GROUP BY 1 ORDER BY 1"))
                    .containsExactly("announce|" + announced, "withdraw|" + withdrawn));
            await().untilAsserted(() -> assertThat(station.sql("SELECT count(*) FROM bmp.v_rib"))
                    .containsExactly(Integer.toString(routes.size())));
            assertThat(station
                            .sql("SELECT router, host(peer_address), rib_view, family, nlri, coalesce(path_id, -1), "
                                    + RouteRow.COLUMNS + " FROM bmp.v_rib")
                            .stream()
                            .map(RouteRow::stored)
                            .sorted())
                    .containsExactlyElementsOf(routes.stream().sorted().toList());
            await().untilAsserted(() -> assertThat(
                            station.sql("SELECT message_type, count(*) FROM bmp.v_quarantine GROUP BY 1 ORDER BY 1"))
                    .isEqualTo(quarantined.entrySet().stream()
                            .map(entry -> entry.getKey() + "|" + entry.getValue())
                            .toList()));
        }
    }

    private static StationProcess.Outcome load(StationProcess station, String... options) {
        List<String> arguments = new ArrayList<>(List.of("load", "--to", "127.0.0.1:" + station.bmpPort()));
        arguments.addAll(List.of(options));
        return StationProcess.command(arguments.toArray(String[]::new));
    }

    @Test
    void givenRoutersWithChurnInAllViewsAndFamiliesThenTheStationHoldsTheExpectedRoutes() {
        LoadProfile profile = TestLoad.of(42, 8, 70)
                .routers(2)
                .allFamiliesAndViews()
                .paths(2)
                .changes(2000)
                .profile();
        Expected expected = new Expected(profile);
        assertThat(expected.quarantined).isEmpty();
        try (StationProcess station = StationProcess.startOnSharedServers(folder.resolve("data"))) {
            StationProcess.Outcome load = load(
                    station,
                    "--seed=42",
                    "--routers=2",
                    "--peers=8",
                    "--prefixes=70",
                    "--families=all",
                    "--views=all",
                    "--add-path=2",
                    "--churn=2000",
                    "--duration=1",
                    "--source-addresses");
            assertThat(load.stderr()).isEmpty();
            assertThat(load.exitCode()).isZero();
            assertThat(load.stdout()).contains("The station should hold %,d routes:".formatted(expected.routes.size()));
            expected.awaitIn(station);
            // Routers and peers arrive by another lane than routes.
            await().untilAsserted(() -> assertThat(station.sql("SELECT router, host(address) FROM bmp.v_routers"))
                    .containsExactlyInAnyOrder("load-0001|127.1.0.1", "load-0002|127.1.0.2"));
            await().untilAsserted(() ->
                    assertThat(station.sql("SELECT count(*) FROM bmp.v_peers")).containsExactly("18"));
        }
    }

    @Test
    void givenMalformedMessagesThenTheStationHandlesThemAsExpected() {
        LoadProfile profile = TestLoad.of(43, 4, 100)
                .routers(2)
                .families(LoadProfile.FAMILIES)
                .views(RibView.LOC_RIB, RibView.ADJ_RIB_IN_POST_POLICY)
                .changes(1000)
                .malformed(40)
                .profile();
        Expected expected = new Expected(profile);
        assertThat(expected.quarantined.keySet())
                .containsExactly(
                        "initiation",
                        "peer-down",
                        "peer-up",
                        "route-mirroring",
                        "route-monitoring",
                        "statistics-report");
        try (StationProcess station = StationProcess.startOnSharedServers(folder.resolve("malformed"))) {
            StationProcess.Outcome load = load(
                    station,
                    "--seed=43",
                    "--routers=2",
                    "--peers=4",
                    "--prefixes=100",
                    "--families=all",
                    "--views=loc-rib,adj-rib-in-post",
                    "--churn=1000",
                    "--duration=1",
                    "--malformed=40");
            assertThat(load.stderr()).isEmpty();
            assertThat(load.stdout())
                    .contains("%,d of which the station should quarantine:"
                            .formatted(expected.quarantined.values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()))
                    .contains("  quarantine peer-up %,d".formatted(expected.quarantined.get("peer-up")));
            expected.awaitIn(station);
        }
    }
}
