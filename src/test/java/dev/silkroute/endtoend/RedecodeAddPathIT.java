package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests redecoding of sessions that were decoded with the wrong ADD-PATH setting. */
class RedecodeAddPathIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String STRICT = "127.0.0.2";
    private static final String FORCED = "127.0.0.3";

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.startOnSharedServers(
                Map.of("SILKROUTE_DECODE_ADD_PATH_ROUTERS", STRICT + "=strict," + FORCED + "=force"),
                folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    private static void replay(String capture, String from) throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort(), from)) {
            router.send(CaptureFiles.stream(capture));
        }
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                station.sql("SELECT state FROM bmp.v_routers WHERE router = '" + name(capture) + "'"))
                        .containsExactly("disconnected"));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql("SELECT state FROM bmp.v_quarantine"))
                        .contains("open"));
    }

    private static String name(String capture) {
        return capture.substring(0, capture.indexOf('-')) + "-1";
    }

    private static void redecode(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("redecode", "--data-dir", folder.resolve("data").toString()));
        arguments.addAll(List.of(options));
        var outcome = StationProcess.command(arguments.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    }

    private static List<String> truth(String capture) {
        return CaptureFiles.messages(capture).stream()
                .filter(row -> row.get("type").asText().equals("route_monitoring")
                        && row.hasNonNull("prefix")
                        && !row.get("action").asText().equals("eor"))
                .map(RedecodeAddPathIT::event)
                .toList();
    }

    private static String event(JsonNode row) {
        String identity = row.get("action").asText() + " " + RouteText.identity(row);
        return row.get("action").asText().equals("announce") ? identity + " " + RouteText.attributes(row) : identity;
    }

    private static List<String> history(String capture) throws Exception {
        List<String> history = new ArrayList<>();
        try (var connection = station.connect();
                var row = connection
                        .createStatement()
                        .executeQuery("SELECT event, " + RouteText.COLUMNS
                                + " FROM bmp.v_route_history WHERE NOT synthetic AND prefix IS NOT NULL AND router = '"
                                + name(capture)
                                + "' ORDER BY session_id, sequence")) {
            while (row.next()) {
                String identity = row.getString("event") + " " + RouteText.identity(row);
                history.add(
                        row.getString("event").equals("announce")
                                ? identity + " " + RouteText.attributes(row)
                                : identity);
            }
        }
        return history;
    }

    @Test
    void givenARouterReadStrictlyWhenItsQuarantineIsRedecodedThenItsHistoryIsItsOwn() throws Exception {
        replay("frr-all", STRICT);
        List<String> truth = truth("frr-all");
        assertThat(history("frr-all")).isNotEqualTo(truth);

        redecode("--router", "frr-1");

        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(history("frr-all").equals(truth)).isTrue());
        assertThat(station.sql("SELECT DISTINCT state FROM bmp.v_quarantine WHERE router = 'frr-1'"
                        + " AND message_type = 'route-monitoring'"))
                .contains("redecoded");
    }

    @Test
    void givenARouterWhoseRoutesWereMadeUpWhenItsSpanIsRedecodedInPlaceThenItsHistoryIsItsOwn() throws Exception {
        replay("gobgp-all", FORCED);
        List<String> truth = truth("gobgp-all");
        assertThat(history("gobgp-all")).isNotEqualTo(truth);

        redecode("--raw", "--in-place", "--from", "2020-01-01", "--router", "gobgp-1");

        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(history("gobgp-all").equals(truth)).isTrue());
    }
}
