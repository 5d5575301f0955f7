package dev.silkroute.app.alert;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts reach an HTTP endpoint in their order, although it rejects some requests and the station restarts. */
class AlertWebhookIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final byte[] FIRST = {24, (byte) 198, 18, 26};
    private static final byte[] SECOND = {24, (byte) 198, 18, 27};
    private static final byte[] NONE = {};
    private static final int UNAVAILABLE = 503;

    @TempDir
    Path folder;

    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<JsonNode> bodies = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int rejections;

    @BeforeEach
    void startEndpoint() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v2/alerts", this::receive);
        server.start();
    }

    @AfterEach
    void stopEndpoint() {
        server.stop(0);
    }

    private void receive(HttpExchange request) throws IOException {
        try (request) {
            byte[] body = request.getRequestBody().readAllBytes();
            tokens.add(request.getRequestHeaders().getFirst("Authorization"));
            if (rejections > 0) {
                rejections--;
                byte[] reason = "not now".getBytes(StandardCharsets.UTF_8);
                request.sendResponseHeaders(UNAVAILABLE, reason.length);
                request.getResponseBody().write(reason);
                return;
            }
            JsonNode alert =
                    CaptureFiles.parse(new String(body, StandardCharsets.UTF_8)).get(0);
            boolean ended = Instant.parse(alert.path("endsAt").asText()).isBefore(Instant.now());
            accepted.add((ended ? "closed " : "open ")
                    + alert.path("labels").path("alert_key").asText());
            bodies.add(alert);
            request.sendResponseHeaders(200, -1);
        }
    }

    private Map<String, String> settings() throws IOException {
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), """
                198.18.26.0/24: {asn: 64500, description: first}
                198.18.27.0/24: {asn: 64500, description: second}
                """);
        Path token = Files.writeString(folder.resolve("token"), "of the endpoint\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        return new TreeMap<>(Map.of(
                "SILKROUTE_ROUTES_ALERTS_ENABLED",
                "true",
                "SILKROUTE_ALERTS_RULES",
                rules.toString(),
                "SILKROUTE_ALERTS_WEBHOOK_URL",
                "http://127.0.0.1:" + server.getAddress().getPort() + "/api/v2/alerts",
                "SILKROUTE_ALERTS_WEBHOOK_TOKEN_FILE",
                token.toString(),
                "SILKROUTE_ALERTS_WEBHOOK_RETRIES",
                "2",
                "SILKROUTE_ALERTS_WEBHOOK_RETRY_DELAY",
                "100ms"));
    }

    @Test
    void changesArriveInOrderOrCountAsFailed() throws Exception {
        Map<String, String> environment = settings();
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"));
                TestRouter router = TestRouter.connect(station.bmpPort())) {
            rejections = 2;
            router.send(join(initiation("notified"), peerUp("192.0.2.78")));
            router.send(monitoring(update(NONE, attributes(), FIRST)));
            awaitAccepted("open 198.18.26.0/24 origin-change AS65001");
            assertThat(bodies.getFirst().path("annotations").path("description").asText())
                    .isEqualTo("first");
            assertThat(tokens).hasSize(3).containsOnly("Bearer of the endpoint");
            assertThat(changes(station, "delivered")).isEqualTo(1);
            assertThat(station.meter("silkroute_alerts_webhook_retries_total")).hasValue(2);

            rejections = 3;
            router.send(monitoring(update(FIRST, NONE, NONE)));
            await().atMost(LIMIT).until(() -> changes(station, "failed") == 1);
            assertThat(station.log())
                    .contains(
                            "Alert 198.18.26.0/24 origin-change AS65001, closed: not delivered to the webhook at http://127.0.0.1:"
                                    + server.getAddress().getPort()
                                    + " in 3 requests, the last of which failed: HTTP 503: not now");
            router.send(monitoring(update(NONE, attributes(), SECOND)));
            awaitAccepted("open 198.18.26.0/24 origin-change AS65001", "open 198.18.27.0/24 origin-change AS65001");
            router.send(monitoring(update(SECOND, NONE, NONE)));
            awaitAccepted(
                    "open 198.18.26.0/24 origin-change AS65001",
                    "open 198.18.27.0/24 origin-change AS65001",
                    "closed 198.18.27.0/24 origin-change AS65001");
        }
    }

    @Test
    void whatIsBeingRetriedWhenTheStationStopsIsDeliveredAfterItsNextStart() throws Exception {
        Map<String, String> environment = settings();
        environment.put("SILKROUTE_ALERTS_WEBHOOK_RETRIES", "1000");
        rejections = Integer.MAX_VALUE;
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"))) {
            try (TestRouter router = TestRouter.connect(station.bmpPort())) {
                router.send(join(initiation("restarted"), peerUp("192.0.2.79")));
                router.send(monitoring(update(NONE, attributes(), FIRST)));
                await().atMost(LIMIT).until(() -> tokens.size() > 2);
            }
            assertThat(station.stop()).isZero();
            assertThat(station.log()).doesNotContain("not delivered");
            rejections = 0;
            try (StationProcess again = station.startAgain(environment)) {
                awaitAccepted("open 198.18.26.0/24 origin-change AS65001");
                assertThat(changes(again, "delivered")).isEqualTo(1);
            }
        }
    }

    private static double changes(StationProcess station, String outcome) {
        return station.meter("silkroute_alerts_webhook_changes_total", "outcome=\"" + outcome + "\"")
                .orElse(-1);
    }

    /** An alert may be delivered more than once; the order of the changes is the same. */
    private void awaitAccepted(String... changes) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(new ArrayList<>(accepted)).containsExactly(changes));
    }
}
