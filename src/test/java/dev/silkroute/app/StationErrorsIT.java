package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Usage errors and failures before a command has begun: each is one clear line on stderr, with exit code 2 or 1, and
 * nothing is left behind.
 */
class StationErrorsIT {
    private static final int UNUSED_PORT = 1;

    @TempDir
    Path folder;

    /** Checks a usage error, or a failed start of the station. */
    private static void rejected(Outcome outcome, String... parts) {
        fails(2, outcome, parts);
    }

    /** Starts a station that is expected to fail, with its own Kafka and a database of its own. */
    private static Outcome startFailing(Path data, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--jdbc-url", TestPostgres.url(TestPostgres.database())));
        return StationProcess.startFailing(data, all.toArray(String[]::new));
    }

    /** Starts a station that is expected to fail on the servers that tests share. */
    private static Outcome startFailingOnSharedServers(Path data, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--kafka-bootstrap", TestKafka.withoutStation()));
        return startFailing(data, all.toArray(String[]::new));
    }

    private static void failed(Outcome outcome, String... parts) {
        fails(1, outcome, parts);
    }

    private static void fails(int exitCode, Outcome outcome, String... parts) {
        assertThat(outcome.stderr().strip().lines()).as(outcome.stderr()).hasSize(1);
        assertThat(outcome.stderr()).startsWith("silkroute: ").contains(parts);
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void unknownOptionsAndBadValues() {
        Path data = folder.resolve("data");
        rejected(
                StationProcess.startFailing(data, "--bmp-prot", "1"),
                "unknown option --bmp-prot, did you mean --bmp-port");
        rejected(StationProcess.startFailing(data, "--bmp-port", "abc"), "--bmp-port", "'abc' is not an integer");
        rejected(StationProcess.startFailing(data, "--http-port", "65536"), "--http-port 65536 is not a port");
        rejected(
                StationProcess.startFailing(data, "--roles", "collector,oracle"),
                "'collector,oracle' is not a list of roles");
        rejected(
                StationProcess.startFailing(data, "-Dsilkroute.max-peers=1"),
                "unknown key silkroute.max-peers in the options, did you mean silkroute.session.max-peers?");
        rejected(
                StationProcess.command(Map.of("SILKROUTE_STALE_TIMEOUT", "1h"), "run", "--data-dir", data.toString()),
                "unknown environment variable SILKROUTE_STALE_TIMEOUT, did you mean SILKROUTE_STATE_STALE_TIMEOUT?");
        rejected(
                StationProcess.startFailing(data, "-Dsilkroute.state.stale-timeout=3600"),
                "'3600' is not a positive duration such as 500ms, 30s, 1h30m or 7d: silkroute.state.stale-timeout");
        rejected(
                StationProcess.startFailing(data, "--routes-dir", "/nowhere"),
                "--routes-dir /nowhere is not a readable directory");
        rejected(
                StationProcess.command(Map.of("SILKROUTE_BMP_PORT", "x"), "run", "--data-dir", data.toString()),
                "'x' is not an integer",
                "SILKROUTE_BMP_PORT");
        rejected(StationProcess.command("dance"), "unknown command dance");
        assertThat(data).doesNotExist();
    }

    @Test
    void invalidKafkaSettings() {
        String[] run = {
            "run",
            "--bmp-port",
            "0",
            "--http-port",
            "0",
            "--data-dir",
            folder.resolve("data").toString()
        };
        rejected(
                StationProcess.command(Map.of("SILKROUTE_KAFKA_SECURITY_PROTOCOL", "SASL_SSL"), run),
                "silkroute.kafka.security.protocol",
                "--kafka-bootstrap is missing");
        rejected(
                StationProcess.command(Map.of("SILKROUTE_JAVA_OPTS", "-Dsilkroute.kafka.sasl.jass.config=x"), run),
                "unknown key silkroute.kafka.sasl.jass.config, did you mean silkroute.kafka.sasl.jaas.config?");
    }

    @Test
    void portsInUse() throws IOException {
        Path data = folder.resolve("data");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            rejected(StationProcess.startFailing(data, "--bmp-port", port), "port " + port + " is in use");
            rejected(StationProcess.startFailing(data, "--http-port", port), "port " + port + " is in use");
        }
        rejected(StationProcess.startFailing(data, "--bmp-port", "44123", "--http-port", "44123"), "are both 44123");
        assertThat(data).doesNotExist();
    }

    @Test
    void unusableDataDirectories() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        rejected(StationProcess.startFailing(file), file + ": it is not a directory");

        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "text");
        rejected(StationProcess.startFailing(foreign), "contains files of other programs");
        assertThat(foreign.toFile().list()).containsExactly("thesis.txt");

        Path newer = Files.createDirectory(folder.resolve("newer"));
        Files.writeString(newer.resolve("format"), "7\n");
        rejected(StationProcess.startFailing(newer), newer.toString(), "format 7", "requires format 4");

        Outcome full = StationProcess.command(
                Map.of("SILKROUTE_MIN_FREE_SPACE", "9000T", "SILKROUTE_BMP_PORT", "0", "SILKROUTE_HTTP_PORT", "0"),
                "run",
                "--data-dir",
                folder.resolve("full").toString());
        assertThat(folder.resolve("full")).doesNotExist();
        rejected(full, "free for the data directory", "at least 9000 TiB required");
    }

    @Test
    void unreachableServers() {
        Path data = folder.resolve("data");
        String unreachable = "127.0.0.1:" + UNUSED_PORT;
        rejected(
                StationProcess.startFailing(data, "--kafka-bootstrap", unreachable),
                "cannot reach Kafka at " + unreachable,
                "refused");
        rejected(
                StationProcess.startFailing(
                        data, "--jdbc-url", "jdbc:postgresql://" + unreachable + "/x?user=y&password=secret"),
                "cannot reach PostgreSQL at jdbc:postgresql://" + unreachable + "/x?user=y&password=…",
                "refused");
        rejected(
                StationProcess.startFailing(data, "--jdbc-url", "postgres://" + unreachable),
                "is not a JDBC URL of PostgreSQL");
        rejected(
                StationProcess.startFailing(data, "--kafka-bootstrap", "kafka"),
                "'kafka' is not a Kafka server as HOST:PORT");
        assertThat(data.resolve("servers.properties")).doesNotExist();
    }

    @Test
    void unknownOptionsOfKafkasJvm() {
        Path data = folder.resolve("data");
        rejected(
                StationProcess.command(
                        Map.of("SILKROUTE_EMBEDDED_KAFKA_JAVA_OPTS", "-Xss1m -XX:+NoSuchOption"),
                        "run",
                        "--data-dir",
                        data.toString(),
                        "--bmp-port",
                        "0",
                        "--http-port",
                        "0"),
                "Kafka did not start",
                "see " + data);
        assertThat(data.resolve("log/kafka.log")).content().contains("NoSuchOption");
    }

    @Test
    void messageSizesThatKafkaDoesNotAccept() {
        Path data = folder.resolve("data");
        rejected(
                StationProcess.command(
                        Map.of(
                                "SILKROUTE_SESSION_MAX_MESSAGE_BYTES",
                                "1310721",
                                "SILKROUTE_BMP_PORT",
                                "0",
                                "SILKROUTE_HTTP_PORT",
                                "0"),
                        "run",
                        "--data-dir",
                        data.toString(),
                        "--jdbc-url",
                        TestPostgres.url(TestPostgres.database())),
                "silkroute.session.max-message-bytes is 1310721: it must be at most 1310720");
    }

    @Test
    void invalidRouteFiles() throws IOException {
        Path data = folder.resolve("data");
        Path routes = Files.createDirectory(folder.resolve("routes"));
        Path file = routes.resolve("mine.yaml");
        Files.writeString(file, """
            - route:
                id: mine
                from:
                  uri: timer:mine
                  steps:
                    - logg: hello
            """);
        rejected(startFailing(data, "--routes-dir", routes.toString()), file + ", line 6: Unknown node id: logg");
        Files.writeString(file, """
            - route:
                id: mine
                from:
                  uri: timer:mine
                  steps:
                    - log: hello
                    - to: nowhere:at-all
            """);
        rejected(
                startFailing(data, "--routes-dir", routes.toString()),
                file + ", line 7: No endpoint could be found for: nowhere://at-all");
        Files.delete(file);
        Files.writeString(routes.resolve("collector.yaml"), """
            - route:
                id: collector
                from:
                  uri: timer:no-listener
                  steps:
                    - log: hello
            """);
        // Found once the routes are running, so their log comes first.
        Outcome withoutListener =
                startFailingOnSharedServers(data, "--roles", "collector", "--routes-dir", routes.toString());
        assertThat(withoutListener.stderr().lines().toList().getLast())
                .startsWith("silkroute: no route listens on the BMP port");
        assertThat(withoutListener.stdout()).isEmpty();
        assertThat(withoutListener.exitCode()).isEqualTo(2);
        Files.writeString(file, "[]");
        Files.writeString(routes.resolve("mine.xml"), "<routes/>");
        rejected(startFailingOnSharedServers(data, "--routes-dir", routes.toString()), "have the same name");
    }

    @Test
    void commandsWithoutAStation() {
        String data = folder.resolve("data").toString();
        failed(
                StationProcess.command("sql", "--data-dir", data, "select 1"),
                "no station runs on the data directory " + data);
        failed(StationProcess.command("status", "--data-dir", data), "no station runs on the data directory " + data);
        failed(
                StationProcess.command("status", "--url", "http://127.0.0.1:" + UNUSED_PORT),
                "cannot reach a station at");
        failed(
                StationProcess.command("lookup", "--data-dir", data, "192.0.2.1"),
                "no station runs on the data directory " + data);
        failed(
                StationProcess.command("lookup", "--url", "http://127.0.0.1:" + UNUSED_PORT, "192.0.2.0/24"),
                "cannot reach a station at http://127.0.0.1:" + UNUSED_PORT + ": connection refused");
        rejected(
                StationProcess.command("lookup", "--url", "station", "192.0.2.1"),
                "'station' is not a URL of a station");
        rejected(
                StationProcess.command("lookup", "--data-dir", data, "192.0.2.300"),
                "'192.0.2.300' is not a valid IPv4 address");
        rejected(StationProcess.command("lookup"), "missing required parameter: 'ADDRESS|PREFIX'");
        failed(
                StationProcess.command(
                        "sql", "--jdbc-url", "jdbc:postgresql://127.0.0.1:" + UNUSED_PORT + "/x", "select 1"),
                "cannot reach PostgreSQL");
    }
}
