package dev.silkroute.endtoend.shared;

import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the RIB with rows of the current state that were changed by hand, and with the RIB of a second station that
 * was started after rows had been deleted.
 */
class ReconcileCopiesIT {
    private static final String ROUTER = "reconciled";
    private static final String WITH_TWIN = "reconciled-with-twin";

    @TempDir
    private Path folder;

    private final StationProcess station = SharedStation.get();

    private JsonNode json(String path) {
        return json(station, path);
    }

    private static JsonNode json(StationProcess station, String path) {
        HttpResponse<String> response = station.get("/api/v1" + path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return CaptureFiles.parse(response.body());
    }

    private JsonNode reconcile() {
        return json("/reconcile?with=database&router=" + ROUTER);
    }

    /** Changes one row of a router. */
    private void update(String router, String sql) throws SQLException {
        try (Connection connection = station.connect();
                PreparedStatement statement =
                        connection.prepareStatement(sql + " AND peer_id IN (SELECT p.peer_id FROM bmp.peer p"
                                + " JOIN bmp.router r USING (router_id) WHERE r.name = ?)")) {
            statement.setString(1, router);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    @Test
    void rowsChangedByHandAreFound() throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(join(initiation(ROUTER), peerUp("192.0.2.77"), route(1), route(2), route(3), route(4)));
            await().untilAsserted(() -> {
                JsonNode table = reconcile().at("/data/0");
                assertThat(table.path("here_routes").asInt()).isEqualTo(4);
                assertThat(table.path("state").asText()).isEqualTo("equal");
                assertThat(table.path("here_digest")).isEqualTo(table.path("there_digest"));
            });
            JsonNode equal = reconcile();
            assertThat(equal.at("/here/topic_id")).isEqualTo(equal.at("/there/topic_id"));
            assertThat(equal.at("/here/offsets")).isNotEmpty();
            assertThat(json("/rib/digest?router=" + ROUTER + "&cells=16")
                            .at("/data/0/sketch")
                            .asText())
                    .hasSize(512);

            update(ROUTER, "DELETE FROM bmp.rib_route WHERE prefix = '198.51.1.0/24'");
            update(ROUTER, "UPDATE bmp.rib_route SET labels = '{7}' WHERE prefix = '198.51.2.0/24'");
            JsonNode differing = reconcile();
            assertThat(differing.at("/data/0/state").asText()).isEqualTo("differs");
            assertThat(differing.at("/data/0/differing_routes").asInt()).isEqualTo(2);
            assertThat(differing.at("/data/0/there_routes").asInt()).isEqualTo(3);
            assertThat(differing.at("/routes/0/nlri").asText()).isEqualTo("198.51.1.0/24");
            assertThat(differing.at("/routes/0/state").asText()).isEqualTo("only-here");
            assertThat(differing.at("/routes/0/here/as_path").asText()).isNotEmpty();
            assertThat(differing.at("/routes/1/state").asText()).isEqualTo("differs");
            assertThat(differing.at("/routes/1/there/labels/0").asInt()).isEqualTo(7);
            assertThat(json("/reconcile?with=database&state=equal&router=" + ROUTER)
                            .path("data"))
                    .isEmpty();
            assertTheCommandPrintsWhatTheDocumentationShows();
        }
    }

    @Test
    void twoStationsFindWhereTheirTablesDiffer() throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(join(initiation(WITH_TWIN), peerUp("192.0.2.78"), route(1), route(2), route(3), route(4)));
            await().untilAsserted(() -> assertThat(json("/reconcile?with=database&router=" + WITH_TWIN)
                            .at("/data/0/there_routes")
                            .asInt())
                    .isEqualTo(4));
            update(WITH_TWIN, "DELETE FROM bmp.rib_route WHERE prefix = '198.51.1.0/24'");
            update(WITH_TWIN, "DELETE FROM bmp.rib_route WHERE prefix = '198.51.2.0/24'");
            try (StationProcess second = StationProcess.start(
                    Map.of("SILKROUTE_TWIN_HTTP_URL", "http://127.0.0.1:" + station.httpPort()),
                    folder.resolve("second"),
                    "--roles",
                    "rib,api",
                    "--kafka-bootstrap",
                    station.kafkaBootstrap(),
                    "--jdbc-url",
                    station.jdbcUrl())) {
                String withTwin = "/reconcile?with=twin&router=" + WITH_TWIN;
                await().untilAsserted(() -> assertThat(
                                json(second, withTwin).at("/data/0/here_routes").asInt())
                        .isEqualTo(2));
                JsonNode differing = json(second, withTwin);
                assertThat(differing.at("/data/0/state").asText()).isEqualTo("differs");
                assertThat(differing.at("/data/0/there_routes").asInt()).isEqualTo(4);
                assertThat(differing.path("routes")).hasSize(2);
                assertThat(differing.at("/routes/0/nlri").asText()).isEqualTo("198.51.1.0/24");
                assertThat(differing.at("/routes/0/state").asText()).isEqualTo("only-there");
                assertThat(differing.at("/routes/1/nlri").asText()).isEqualTo("198.51.2.0/24");
                assertThat(differing.at("/routes/1/state").asText()).isEqualTo("only-there");

                router.send(join(route(1), route(2)));
                await().untilAsserted(() -> assertThat(
                                json(second, withTwin).at("/data/0/state").asText())
                        .isEqualTo("equal"));
                assertThat(StationProcess.command(
                                        "reconcile",
                                        "--with",
                                        "twin",
                                        "--router",
                                        WITH_TWIN,
                                        "--data-dir",
                                        second.directory().toString())
                                .exitCode())
                        .isZero();
            }
        }
    }

    @Test
    void aStationWithoutTwinReportsIt() {
        HttpResponse<String> response = station.get("/api/v1/reconcile?with=twin");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("twin-unavailable", "silkroute.twin.http-url");
        assertThat(station.get("/api/v1/reconcile?with=twin&at=-1h").body()).contains("applies to with=routers only");
        assertThat(station.get("/api/v1/rib/digest?cells=18").body()).contains("must be a multiple of 4");
        assertThat(station.get("/api/v1/rib/digest?key=1").body()).contains("must be 32 hexadecimal digits");
    }

    /** The page has another router and peer. */
    private void assertTheCommandPrintsWhatTheDocumentationShows() {
        StationProcess.Outcome outcome = StationProcess.command(
                "reconcile",
                "--router",
                ROUTER,
                "--data-dir",
                station.directory().toString());
        SeparateBlock.RECONCILE.assertPrints(
                outcome.stdout().replace(ROUTER, "edge-1").replace("192.0.2.77", "198.51.100.1"));
    }
}
