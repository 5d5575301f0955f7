package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.StationProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station that stops, or is killed, and comes back on the same data: what it holds is what the router says. */
class RestartIT {
    /** Kafka misses a killed consumer after 45 s. */
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static final byte[] STREAM = CaptureFiles.stream("frr-noap");
    private static final int MARK = CaptureFiles.mark("frr-noap");
    private static final String ROUTES =
            Integer.toString(CaptureFiles.state("frr-noap").size());
    private static final String COUNTS = "SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib";
    private static final String ROUTER = "SELECT state FROM bmp.v_routers";
    private static final String PEERS_UP = "SELECT count(*) FROM bmp.v_peers WHERE state = 'up'";

    @TempDir
    private Path folder;

    private static void awaitRows(StationProcess station, String query, String... rows) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(station.sql(query)).isEqualTo(List.of(rows)));
    }

    /** The router's dump into a new session, seen through to current state. */
    private static TestRouter dump(StationProcess station) throws Exception {
        String before = station.sql("SELECT coalesce(max(session_id), 0) FROM bmp.v_routers")
                .getFirst();
        TestRouter router = TestRouter.connect(station.bmpPort());
        router.send(STREAM, 0, MARK, 65_536);
        awaitRows(station, "SELECT count(*) FROM bmp.v_routers WHERE session_id > " + before, "1");
        awaitRows(station, COUNTS, ROUTES + "|0");
        awaitRows(station, ROUTER, "connected");
        return router;
    }

    @Test
    void givenAnOpenSessionWhenTheStationStopsThenItsRoutesAreStaleAndTheRoutersNextSessionRenewsThem()
            throws Exception {
        Path data = folder.resolve("data");
        try (StationProcess station = StationProcess.start(data);
                TestRouter router = dump(station)) {
            assertThat(station.stop()).isZero();
            assertThat(router.closedByStation()).isTrue();
        }
        try (StationProcess station = StationProcess.start(data)) {
            awaitRows(station, ROUTER, "disconnected");
            awaitRows(station, COUNTS, ROUTES + "|" + ROUTES);
            awaitRows(station, PEERS_UP, "0");
            dump(station).close();
        }
    }

    @Test
    void givenAnOpenSessionWhenTheStationIsKilledThenTheNextOneTakesOverItsDataAndTheRouter() throws Exception {
        Path data = folder.resolve("data");
        try (StationProcess station = StationProcess.start(data);
                TestRouter router = dump(station)) {
            station.killHard();
        }
        try (StationProcess station = StationProcess.start(data)) {
            assertThat(station.sql("SELECT count(*) FROM bmp.v_rib")).containsExactly(ROUTES);
            awaitRows(station, ROUTER, "disconnected");
            awaitRows(station, COUNTS, ROUTES + "|" + ROUTES);
            awaitRows(station, PEERS_UP, "0");
            dump(station).close();
            awaitRows(station, COUNTS, ROUTES + "|" + ROUTES);
        }
    }
}
