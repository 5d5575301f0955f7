package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.StationProcess;
import dev.silkroute.bgp.RibView;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code silkroute load} against a whole station: it holds exactly what the generator says, route by route, history included. */
class LoadIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;

    @Test
    void givenRoutersWithChurnInAllViewsAndFamiliesThenTheStationHoldsWhatTheGeneratorSays() {
        LoadProfile profile = new LoadProfile(
                42, 3, 4, 60, LoadProfile.FAMILIES, EnumSet.allOf(RibView.class), 2, Churn.STEADY, 2000, false);
        List<String> expected = new ArrayList<>();
        long announced = 0;
        long withdrawn = 0;
        for (int i = 0; i < profile.routers(); i++) {
            LoadRouter router = new LoadPlan(profile).router(i);
            ByteSink sink = new ByteSink();
            while (router.next(sink) > 0) {
                sink.reset();
            }
            announced += router.announced();
            withdrawn += router.withdrawn();
            router.expected()
                    .forEach(rib -> rib.table()
                            .accept((nlri, pathId, asPath) -> expected.add(String.join(
                                    "|",
                                    rib.router(),
                                    rib.peerAddress(),
                                    rib.view().text(),
                                    Family.text(rib.family()),
                                    nlri,
                                    Integer.toString(pathId),
                                    asPath))));
        }
        String history = "announce|" + announced;
        String withdrawals = "withdraw|" + withdrawn;
        try (StationProcess station = StationProcess.start(folder.resolve("data"))) {
            StationProcess.Outcome load = StationProcess.command(
                    "load",
                    "--to",
                    "127.0.0.1:" + station.bmpPort(),
                    "--seed",
                    "42",
                    "--routers",
                    "3",
                    "--peers",
                    "4",
                    "--prefixes",
                    "60",
                    "--families",
                    "all",
                    "--views",
                    "all",
                    "--add-path",
                    "2",
                    "--churn",
                    "2000",
                    "--duration",
                    "1",
                    "--source-addresses");
            assertThat(load.stderr()).isEmpty();
            assertThat(load.exitCode()).isZero();
            assertThat(load.stdout()).contains("The station should hold %,d routes:".formatted(expected.size()));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.sql("SELECT event, count(DISTINCT (session_id, sequence))"
                                    + " FROM bmp.v_route_history WHERE NOT synthetic GROUP BY 1 ORDER BY 1"))
                            .containsExactly(history, withdrawals));
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(station.sql("SELECT router, host(peer_address), rib_view, family, nlri,"
                                            + " coalesce(path_id, -1), as_path FROM bmp.v_rib"))
                                    .containsExactlyInAnyOrderElementsOf(expected));
            assertThat(station.sql("SELECT count(*) FROM bmp.v_quarantine")).containsExactly("0");
            assertThat(station.sql("SELECT router, host(address) FROM bmp.v_routers"))
                    .containsExactlyInAnyOrder("load-0001|127.1.0.1", "load-0002|127.1.0.2", "load-0003|127.1.0.3");
            assertThat(station.sql("SELECT count(*) FROM bmp.v_peers")).containsExactly("15");
        }
    }
}
