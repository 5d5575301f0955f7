package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts, stops and kills of a station, and later starts on the same data directory. */
class StationLifecycleIT {
    @TempDir
    Path folder;

    @Test
    void startsReadyAndStopsWithoutLeavingProcesses() throws Exception {
        Path data = folder.resolve("data");
        List<ProcessHandle> children;
        String firstKafka;
        try (StationProcess station = StationProcess.start(data)) {
            // Given a station that has printed its ready line
            assertThat(station.stdout().lines()).containsExactly(station.readyLine());
            try (Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
                assertThat(router.isConnected()).isTrue();
            }
            assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
            assertThat(station.get("/q/health/live").statusCode()).isEqualTo(200);
            assertThat(station.get("/q/metrics").body()).contains("bmp_sessions");
            // One line for each route, and a few more
            assertThat(station.log().lines().count()).as(station.log()).isLessThan(31);
            assertTopics(station.kafkaBootstrap());
            assertOptionalRoutesAreStopped(station);
            assertSecondStationFails(station);
            station.sql("select 1 from bmp.v_routers");
            try (Connection database = station.connect();
                    Statement statement = database.createStatement()) {
                statement.execute("create table public.kept as select 1 as one");
            }
            firstKafka = station.kafkaBootstrap();
            children = station.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3);

            // When it is asked to stop
            int exitCode = station.stop();

            // Then it drains, exits with 0, and its child processes have ended
            assertThat(exitCode).isZero();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(data.resolve("station.properties")).doesNotExist();
        }

        // And a later start on a restored backup uses the same data and ports
        try (StationProcess again = StationProcess.start(restored(), "--roles", "writer")) {
            assertThat(again.sql("select one from public.kept")).containsExactly("1");
            assertThat(again.kafkaBootstrap()).isEqualTo(firstKafka);
            assertThat(again.bmpPort()).isZero();
            assertThat(again.readyLine()).contains("BMP off");
        }
    }

    @Test
    void listensOnIpv6AddressesWithAndWithoutBracketsAndOptionsOverrideVariables() throws Exception {
        assumeThat(Ports.isFree("::1", 0)).isTrue();
        Map<String, String> environment = Map.of(
                "SILKROUTE_BMP_HOST",
                "127.0.0.1",
                "SILKROUTE_BMP_PORT",
                "0",
                "SILKROUTE_HTTP_AUTHENTICATION",
                "token",
                "SILKROUTE_LOG_FORMAT",
                "json");
        try (StationProcess station = StationProcess.startOnSharedServers(
                environment,
                folder.resolve("data"),
                "--roles",
                "collector",
                "--bmp-host",
                "::1",
                "--http-host",
                "[::1]")) {
            assertThat(station.readyLine()).contains("HTTP http://[::1]:" + station.httpPort());
            try (Socket router = new Socket("::1", station.bmpPort())) {
                assertThat(router.isConnected()).isTrue();
            }
            StationProcess.Outcome status = StationProcess.command(
                    "status", "--data-dir", station.directory().toString());
            assertThat(status.stderr()).isEmpty();
            assertThat(status.exitCode()).isZero();
            assertDocumentedRequestsHaveTheToken(station);
            assertThat(station.stop()).isZero();
            assertEachLineOfTheLogIsAnObject(station.log());
        }
    }

    private static void assertEachLineOfTheLogIsAnObject(String log) {
        List<JsonNode> lines = log.lines().map(CaptureFiles::parse).toList();
        assertThat(lines).isNotEmpty().allSatisfy(line -> {
            assertThat(line.get("level").asText()).isIn("INFO", "WARN", "ERROR");
            assertThat(OffsetDateTime.parse(line.get("time").asText()).getOffset())
                    .isEqualTo(ZoneOffset.UTC);
            assertThat(line.get("message").isTextual()).isTrue();
        });
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.get("logger").asText()).startsWith("dev.silkroute."));
    }

    /** From this machine, where the token is in the data directory, and from another one, which has a copy of it. */
    private void assertDocumentedRequestsHaveTheToken(StationProcess station) throws Exception {
        PageShell shell = new PageShell(folder);
        String url = "http://[::1]:" + station.httpPort();
        assertThat(shell.run("curl -s -o /dev/null -w '%{http_code}' '" + url + "/api/v1/status'"))
                .isEqualTo("401");
        Files.copy(station.directory().resolve("client/http-token"), folder.resolve("token"));
        for (SeparateBlock block : List.of(SeparateBlock.CURL_WITH_TOKEN, SeparateBlock.STATUS_WITH_TOKEN)) {
            block.assertPrints(shell.run(block.block().text().replace("http://192.0.2.10:8080", url)));
        }
    }

    @Test
    void aCollectorStartsWhilePostgresIsUnavailable() throws Exception {
        try (StationProcess station = StationProcess.start(
                folder.resolve("data"),
                "--roles",
                "collector",
                "--kafka-bootstrap",
                TestKafka.withoutStation(),
                "--jdbc-url",
                "jdbc:postgresql://127.0.0.1:1/nobody")) {
            assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
            try (Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
                assertThat(router.isConnected()).isTrue();
            }

            // When it is asked to stop while that session, its first, is ending
            assertThat(station.stop()).isZero();

            // Then the records of the session's end were sent before the stop
            assertThat(station.log())
                    .contains("ended after 0 messages")
                    .doesNotContain("kafkaProducer")
                    .doesNotContain("Timeout occurred during graceful shutdown");
        }
    }

    /** Backs up the data directory and returns one that is restored from it, both as the documentation shows. */
    private Path restored() throws Exception {
        PageShell shell = new PageShell(folder);
        for (SeparateBlock block : List.of(SeparateBlock.BACKUP, SeparateBlock.RESTORE)) {
            block.assertPrints(shell.run(block.block().text()));
        }
        return folder.resolve("data.restored");
    }

    private static void assertTopics(String bootstrap) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            List<String> names =
                    List.of("bmp.raw", "bmp.routes", "bmp.peers", "bmp.stats", "bmp.mirror", "bmp.quarantine");
            assertThat(admin.listTopics().names().get())
                    .containsAll(names)
                    .doesNotContain("bmp.routes.json", "bmp.withdrawals.json", "openbmp.bmp_raw", "bmp.alerts");
            Map<String, TopicDescription> topics =
                    admin.describeTopics(names).allTopicNames().get();
            assertThat(topics.values())
                    .allSatisfy(topic -> assertThat(topic.partitions()).hasSize(12));
        }
    }

    /** Asserts that optional routes are stopped and do not affect readiness. */
    private static void assertOptionalRoutesAreStopped(StationProcess station) throws IOException {
        Map<String, String> states = new HashMap<>();
        new ObjectMapper()
                .readTree(station.get("/api/v1/status").body())
                .get("routes")
                .forEach(route ->
                        states.put(route.get("id").asText(), route.get("state").asText()));
        assertThat(states)
                .containsEntry("json", "stopped")
                .containsEntry("openbmp", "stopped")
                .containsEntry("alerts", "stopped")
                .containsEntry("withdrawals-json", "stopped")
                .containsEntry("history", "started");
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
    }

    private static void assertSecondStationFails(StationProcess station) {
        StationProcess.Outcome second = StationProcess.startFailing(station.directory());
        assertThat(second.exitCode()).isEqualTo(2);
        assertThat(second.stderr().lines())
                .containsExactly(
                        "silkroute: the data directory " + station.directory().toAbsolutePath()
                                + " is in use by another station, process " + station.pid());
        assertThat(second.stdout()).isEmpty();
    }

    @Test
    void aKilledServerIsRestartedAndAKilledStationLeavesNoProcessesAndItsDataToTheNextStart() throws IOException {
        Path data = folder.resolve("data");
        List<ProcessHandle> children;
        try (StationProcess station = StationProcess.start(data)) {
            station.sql("select count(*) from bmp.v_rib");
            execute(station, "create table bmp.kept (n integer)", "insert into bmp.kept values (42)");
            // When only its Kafka is killed, then it is restarted
            assertKilledKafkaIsRestarted(station);
            children = station.children();
            // When the station alone is killed with SIGKILL
            station.killHard();
            // Then a start right afterwards waits for its servers to end and finds the data
            try (StationProcess next = StationProcess.start(data)) {
                assertThat(children).noneMatch(ProcessHandle::isAlive);
                assertThat(next.sql("select n from bmp.kept")).containsExactly("42");
                children = next.children();
                next.killHard();
            }
            List<ProcessHandle> left = children;
            await().until(() -> left.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertThat(Files.readString(data.resolve("format"))).isEqualTo("4\n");
    }

    @Test
    void aStopIsInTimeWhileKafkaIsSuspended() throws Exception {
        try (StationProcess station = StationProcess.start(
                        folder.resolve("silent"), "--jdbc-url", TestPostgres.url(TestPostgres.database()));
                Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
            List<ProcessHandle> children = station.children();
            long kafka = station.kafka().orElseThrow().pid();
            assertThat(new ProcessBuilder("sh", "-c", "kill -STOP " + kafka)
                            .start()
                            .waitFor())
                    .isZero();
            router.getOutputStream().write(TestMessages.initiation("edge"));
            await().until(() -> station.meter("bmp_held_bytes").orElse(0) > 0);
            StationProcess.Outcome status = StationProcess.command(
                    "status", "--data-dir", station.directory().toString());
            assertThat(status.stdout()).contains("Problem: Kafka is unavailable: ");
            assertThat(status.exitCode()).isEqualTo(1);
            assertThat(station.stop()).isZero();
            assertThat(station.log()).contains("The routes did not stop within 18 s");
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }
    }

    private static void assertKilledKafkaIsRestarted(StationProcess station) {
        ProcessHandle kafka = station.kafka().orElseThrow();
        kafka.destroyForcibly();
        await().until(() ->
                station.kafka().filter(now -> now.pid() != kafka.pid()).isPresent()
                        && station.log().contains("Kafka has been restarted"));
        await().until(() -> station.get("/q/health/ready").statusCode() == 200);
    }

    private static void execute(StationProcess station, String... statements) {
        try (var connection = station.connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (java.sql.SQLException e) {
            throw new AssertionError(e);
        }
    }
}
