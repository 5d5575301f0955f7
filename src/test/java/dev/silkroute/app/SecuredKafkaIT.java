package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.SecuredKafka;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestPostgres;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station with a Kafka cluster that requires TLS and a password. */
class SecuredKafkaIT {
    private static final String PASSWORD = "secret-7";

    @TempDir
    Path folder;

    @Test
    void everyClientAuthenticates() throws Exception {
        Path data = folder.resolve("data");
        try (SecuredKafka kafka = SecuredKafka.start(folder, PASSWORD)) {
            assertWrongPasswordFails(kafka, data);
            Map<String, String> environment = new HashMap<>(kafka.environment());
            environment.put("SILKROUTE_WRITER_LAG_INTERVAL", "1s");
            try (StationProcess station = StationProcess.start(
                            environment,
                            data,
                            "--kafka-bootstrap",
                            kafka.bootstrap(),
                            "--jdbc-url",
                            TestPostgres.url(TestPostgres.database()));
                    Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
                assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
                // When a router announces a route
                OutputStream out = router.getOutputStream();
                out.write(TestMessages.join(
                        TestMessages.initiation("edge"), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1)));
                // Then collector, writers and RIB have processed it
                await().untilAsserted(() ->
                        assertThat(station.sql("SELECT prefix FROM bmp.v_rib")).containsExactly("198.51.1.0/24"));
                await().untilAsserted(() -> assertThat(
                                station.get("/api/v1/lookup?address=198.51.1.1").body())
                        .contains("198.51.1.0/24"));
                // And what asks Kafka beside them is let in too
                await().until(() -> station.meter("silkroute_lane_lag_records", "topic=\"bmp.routes\"")
                        .isPresent());
                assertThat(station.get("/api/v1/status").body()).contains("\"problems\":[]");
                commands(environment, data);
                assertThat(station.log()).doesNotContain(PASSWORD);
            }
        }
    }

    private static void assertWrongPasswordFails(SecuredKafka kafka, Path data) {
        Outcome rejected = StationProcess.command(
                kafka.environment("wrong"),
                "run",
                "--data-dir",
                data.toString(),
                "--kafka-bootstrap",
                kafka.bootstrap());
        assertThat(rejected.exitCode()).isEqualTo(2);
        assertThat(rejected.stderr().strip().lines()).as(rejected.stderr()).hasSize(1);
        assertThat(rejected.stderr())
                .contains("Kafka at " + kafka.bootstrap() + " rejects the station: Authentication failed");
    }

    private static void commands(Map<String, String> environment, Path data) {
        Outcome topic = StationProcess.command(environment, "topic", "routes.of.mine", "--data-dir", data.toString());
        assertThat(topic.stdout()).as(topic.stderr()).isEqualTo("Created topic routes.of.mine\n");
        Outcome redecode = StationProcess.command(
                environment, "redecode", "--raw", "--from", "2020-01-01", "--data-dir", data.toString());
        assertThat(redecode.stdout()).as(redecode.stderr()).contains("1 session: 3 decoded");
    }
}
