package dev.silkroute.endtoend.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.endtoend.RouteText;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests redecoding of sessions that were decoded with the wrong ADD-PATH setting. */
class RedecodeAddPathIT {
    private final StationProcess station = SharedStation.get();

    private void replay(String capture, String router, String from) throws Exception {
        try (TestRouter connection = TestRouter.connect(station.bmpPort(), from)) {
            connection.send(CaptureFiles.stream(capture, router));
        }
        await().untilAsserted(
                        () -> assertThat(station.sql("SELECT state FROM bmp.v_routers WHERE router = '" + router + "'"))
                                .containsExactly("disconnected"));
        await().untilAsserted(() -> assertThat(
                        station.sql("SELECT state FROM bmp.v_quarantine WHERE router = '" + router + "'"))
                .contains("open"));
    }

    private void redecode(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("redecode", "--data-dir", station.directory().toString()));
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

    private List<String> history(String router) throws Exception {
        List<String> history = new ArrayList<>();
        try (var connection = station.connect();
                var row = connection
                        .createStatement()
                        .executeQuery("SELECT event, " + RouteText.COLUMNS
                                + " FROM bmp.v_route_history WHERE NOT synthetic AND prefix IS NOT NULL AND router = '"
                                + router
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
        replay("frr-all", "frr-s", SharedStation.ADD_PATH_STRICT);
        List<String> truth = truth("frr-all");
        assertThat(history("frr-s")).isNotEqualTo(truth);

        redecode("--router", "frr-s");

        await().untilAsserted(() -> assertThat(history("frr-s").equals(truth)).isTrue());
        assertThat(station.sql("SELECT DISTINCT state FROM bmp.v_quarantine WHERE router = 'frr-s'"
                        + " AND message_type = 'route-monitoring'"))
                .contains("redecoded");
    }

    @Test
    void givenARouterWhoseRoutesWereMadeUpWhenItsSpanIsRedecodedInPlaceThenItsHistoryIsItsOwn() throws Exception {
        replay("gobgp-all", "gobgp-f", SharedStation.ADD_PATH_FORCED);
        List<String> truth = truth("gobgp-all");
        assertThat(history("gobgp-f")).isNotEqualTo(truth);

        redecode("--raw", "--in-place", "--from", "2020-01-01", "--router", "gobgp-f");

        await().untilAsserted(() -> assertThat(history("gobgp-f").equals(truth)).isTrue());
    }
}
