package dev.silkroute.endtoend.shared;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An incident on a socket becomes a record, a row and a response, and its end closes the alert. */
class AlertsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ROUTER = "alerting";
    private static final byte[] NLRI = {24, (byte) 198, 18, 26};
    private static final byte[] NONE = {};
    private static final String KEY = SharedStation.MONITORED + " origin-change AS65001";

    private final StationProcess station = SharedStation.get();

    @Test
    void incidentOpensAnAlertAndItsEndClosesIt() throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(join(initiation(ROUTER), peerUp("192.0.2.77"), monitoring(update(NONE, attributes(), NLRI))));
            awaitState("origin-change|open|198.18.26.0/24|shared|1");

            JsonNode alerts = CaptureFiles.parse(station.get("/api/v1/alerts?prefix=198.18.0.0/15&rule=origin-change")
                    .body());
            assertThat(alerts.path("data")).hasSize(1);
            JsonNode evidence = alerts.path("data").get(0).path("evidence").get(0);
            assertThat(evidence.path("router").asText()).isEqualTo(ROUTER);
            assertThat(evidence.path("peer_address").asText()).isEqualTo("192.0.2.77");
            assertThat(evidence.path("as_path").asText()).isEqualTo("65001");
            assertThat(station.sql("SELECT prefix, origin_asn FROM bmp.v_route_history WHERE router = '" + ROUTER
                            + "' AND session_id = " + evidence.path("session_id") + " AND sequence = "
                            + evidence.path("sequence")))
                    .containsExactly("198.18.26.0/24|65001");
            assertThat(station.meter("silkroute_alerts_open")).hasValue(1);

            assertTheCommandPrintsWhatTheDocumentationShows();

            router.send(monitoring(update(NLRI, NONE, NONE)));
            awaitState("origin-change|closed|198.18.26.0/24|shared|1");
        }
        assertThat(events()).containsExactly("opened", "closed");
        assertThat(station.get("/api/v1/alerts").body()).doesNotContain(SharedStation.MONITORED);
    }

    /** The page has another prefix, and another AS as its origin. */
    private void assertTheCommandPrintsWhatTheDocumentationShows() {
        MarkdownPage page = new MarkdownPage(Path.of("docs/how-to/alerts.md"));
        StationProcess.Outcome outcome = StationProcess.command(
                "alerts", "--data-dir", station.directory().toString());
        page.assertPrints(
                page.command("./silkroute alerts"),
                outcome.stdout()
                        .replace(SharedStation.MONITORED, "192.0.2.0/24")
                        .replace("AS65001", "AS64666")
                        .replace("shared", "Customer A"));
    }

    private void awaitState(String state) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql(
                                "SELECT rule, state, prefix, description, vantage_points FROM bmp.v_alerts"))
                        .containsExactly(state));
    }

    private List<String> events() {
        return station.records("bmp.alerts").stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(KEY))
                .map(record -> CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8))
                        .path("event")
                        .asText())
                .toList();
    }
}
