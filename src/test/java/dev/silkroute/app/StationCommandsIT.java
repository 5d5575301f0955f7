package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.silkroute.fixture.StationProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sql}, {@code status} and the API of one running station. */
class StationCommandsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() throws IOException {
        // Others may enter it, so that the data directory itself has to keep them out.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        station = StationProcess.startOnSharedServers(folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    private static String sql(String format, String query) {
        StationProcess.Outcome outcome =
                StationProcess.command("sql", "--data-dir", station.directory().toString(), "--format", format, query);
        assertThat(outcome.stderr()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        return outcome.stdout();
    }

    @Test
    void tablesContainNoControlCharacters() {
        assertThat(sql("table", "select 'a' || chr(27) || '[2J' || chr(155) || '2J' || chr(10) || 'b' as t"))
                .contains("a [2J 2J b");
    }

    @Test
    void tables() {
        assertThat(sql("table", "select 1 as n, 'Zürich' as city, null as nothing union all select 100, 'Rom', null"))
                .isEqualTo("""
                       n | city   | nothing
                    -----+--------+---------
                       1 | Zürich |
                     100 | Rom    |
                    (2 rows)
                    """);
    }

    @Test
    void csv() {
        assertThat(sql("csv", "select 1 as n, 'a,b' as a, 'the \"x\"' as b, '' as empty, null as nothing"))
                .isEqualTo("n,a,b,empty,nothing\n1,\"a,b\",\"the \"\"x\"\"\",\"\",\n");
    }

    @Test
    void jsonKeepsWhatValuesAre() throws IOException {
        JsonNode rows = JSON.readTree(sql("json", """
            select 4200000000::bigint as asn, 1.50::numeric as exact, true as yes, null as nothing,
              array['64500:1', null] as communities, array[[1,2],[3,4]] as nested, '{"a": [1, "x"]}'::jsonb as document,
              array['{"b": 2}'::jsonb] as documents, '192.0.2.0/24'::cidr as prefix, array['2001:db8::1'::inet] as hops,
              timestamptz '2026-01-02 03:04:05.678901+00' as at, 'NaN'::float8 as odd, E'line\\nend' as text\
            """));
        assertThat(rows).isEqualTo(JSON.readTree("""
            [{"asn": 4200000000, "exact": 1.50, "yes": true, "nothing": null, "communities": ["64500:1", null],
              "nested": [[1, 2], [3, 4]], "document": {"a": [1, "x"]}, "documents": [{"b": 2}],
              "prefix": "192.0.2.0/24", "hops": ["2001:db8::1"], "at": "2026-01-02T03:04:05.678901Z", "odd": "NaN",
              "text": "line\\nend"}]\
            """));
        assertThat(JSON.readTree(sql("json", "select 1 where false"))).isEmpty();
    }

    @Test
    void largeResultsAreNotHeldInMemory() {
        // Some 50 MB of rows with a heap of 24 MB
        StationProcess.Outcome outcome = StationProcess.command(
                Map.of("SILKROUTE_JAVA_OPTS", "-Xmx24m"),
                "sql",
                "--data-dir",
                station.directory().toString(),
                "--format",
                "json",
                "select i, repeat('x', 500) as text from generate_series(1, 100000) i");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.stdout()).hasSizeGreaterThan(50_000_000);
    }

    /**
     * Runs a shell command line, in which {@code %s} is replaced by a command with the station's data directory, and
     * returns the lines of its standard error.
     */
    private static List<String> shell(String line, String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                "sh", "-c", line.formatted("./silkroute " + command + " --data-dir '" + station.directory() + "'"));
        builder.environment().keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        try (BufferedReader errors = builder.start().errorReader(StandardCharsets.UTF_8)) {
            return errors.lines().toList();
        }
    }

    private static void execute(String statement) throws SQLException {
        try (Connection connection = station.connect();
                Statement statements = connection.createStatement()) {
            statements.execute(statement);
        }
    }

    @Test
    void outputThatCannotBeWrittenIsAnError() throws IOException, SQLException {
        String full = "silkroute: cannot write to standard output: No space left on device";
        for (String command : List.of("sql 'select 1'", "status", "lookup 192.0.2.1")) {
            assertThat(shell("%s > /dev/full; echo $? >&2", command)).containsExactly(full, "1");
        }
        execute("create table bmp.unwritten as select 1 as n");
        assertThat(shell("%s > /dev/full; echo $? >&2", "sql --read-write 'update unwritten set n = 2 returning *'"))
                .containsExactly(full + "; the changes that the statement made are committed", "1");
        assertThat(station.sql("select n from bmp.unwritten")).containsExactly("2");
    }

    @Test
    void aClosedPipeIsNoErrorAndUndoesNothing() throws IOException, SQLException {
        execute("create table bmp.unread as select i, 0 as n from generate_series(1, 20000) i");
        String first = "{ %s; echo $? >&2; } | head -1 > /dev/null";
        assertThat(shell(first, "sql 'select * from unread'")).containsExactly("0");
        assertThat(shell(first, "sql --read-write 'update unread set n = 1 returning *'"))
                .containsExactly("0");
        assertThat(station.sql("select n, count(*) from bmp.unread group by 1")).containsExactly("1|20000");
        execute("create function bmp.note(i int) returns int as 'update bmp.unread set n = 2 where i = $1 returning n'"
                + " language sql");
        execute("create index on bmp.unread (i)");
        assertThat(shell(first, "sql --read-write 'select note(i), i from unread'"))
                .containsExactly("0");
        assertThat(station.sql("select n, count(*) from bmp.unread group by 1")).containsExactly("2|20000");
    }

    @Test
    void schemaNamesNeedNoPrefix() {
        assertThat(sql("csv", "select count(*) from v_rib")).isEqualTo("count\n0\n");
    }

    /** Runs a command with the station's data directory as the user nobody. */
    private static StationProcess.Outcome commandOfAnotherUser(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./silkroute"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        Process process = builder.start();
        process.getOutputStream().close();
        String stdout = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String stderr = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new StationProcess.Outcome(process.waitFor(), stdout, stderr);
    }

    @Test
    void anotherUserOfTheMachineCannotQuery() throws Exception {
        assumeThat(commandOfAnotherUser("sql", "--help").exitCode()).isZero();
        String directory = station.directory().toString();
        StationProcess.Outcome outcome = commandOfAnotherUser("sql", "--data-dir", directory, "select 1");
        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.stdout()).isEmpty();
        assertThat(outcome.stderr()).contains(directory);
    }

    @Test
    void severalStatementsComeFromStandardInput() throws IOException {
        String script = "select 1 as a; create temp table t as select 2 as b; select * from t";
        String input = "printf '" + script + "' | %s >&2";
        for (String argument : List.of("", " -")) {
            assertThat(shell(input, "sql --read-write" + argument + " --format csv"))
                    .containsExactly("a", "1", "b", "2");
        }
        assertThat(StationProcess.command(
                        "sql", "--data-dir", station.directory().toString()))
                .isEqualTo(new StationProcess.Outcome(2, "", "silkroute: SQL is required: standard input is empty\n"));
    }

    @Test
    void aDatabaseThatIsNotTheEmbeddedOneIsReadOnlyByDefault() {
        String error =
                "silkroute: cannot execute CREATE TABLE in a read-only transaction; --read-write allows changes\n";
        String change = "create table bmp.forbidden (n int)";
        String data = station.directory().toString();
        for (String[] options :
                new String[][] {{"--jdbc-url", station.jdbcUrl()}, {"--data-dir", data, "--read-only"}}) {
            assertThat(StationProcess.command(command(options, change)))
                    .isEqualTo(new StationProcess.Outcome(1, "", error));
            assertThat(StationProcess.command(command(options, "commit; " + change))
                            .exitCode())
                    .isEqualTo(1);
        }
        assertThat(station.sql("select to_regclass('bmp.forbidden')")).containsExactly("-");
        assertThat(StationProcess.command(
                                "sql",
                                "--jdbc-url",
                                station.jdbcUrl(),
                                "--read-write",
                                "create table bmp.allowed (n int)")
                        .exitCode())
                .isZero();
        assertThat(station.sql("select to_regclass('bmp.allowed')")).containsExactly("bmp.allowed");
    }

    private static String[] command(String[] options, String statement) {
        return Stream.of(Stream.of("sql"), Stream.of(options), Stream.of(statement))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    @Test
    void errorsOfAStatementAreOneLine() {
        StationProcess.Outcome outcome =
                StationProcess.command("sql", "--data-dir", station.directory().toString(), "select * from nothing");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.stderr()).isEqualTo("silkroute: relation \"nothing\" does not exist (at character 15)\n");
    }

    @Test
    void statusAsTableAndJson() throws IOException {
        StationProcess.Outcome table = StationProcess.command(
                Map.of("SILKROUTE_DATA_DIR", station.directory().toString()), "status");
        assertThat(table.exitCode()).isZero();
        assertThat(table.stdout())
                .contains(
                        "roles collector,writer,rib,api",
                        "Sessions: 0 · Routers: 0 of 0 connected · Peers: 0 of 0 up",
                        "bmp.routes");
        JsonNode json = JSON.readTree(StationProcess.command(
                        "status", "--data-dir", station.directory().toString(), "--format", "json")
                .stdout());
        assertThat(json.path("sessions").asInt(-1)).isZero();
        assertThat(json.path("topics").findValuesAsText("name"))
                .containsExactly(
                        "bmp.identities",
                        "bmp.mirror",
                        "bmp.peers",
                        "bmp.quarantine",
                        "bmp.raw",
                        "bmp.resync",
                        "bmp.routes",
                        "bmp.stats");
        assertThat(json.path("problems")).isEmpty();
        assertThat(StationProcess.command(
                                "status", "--data-dir", station.directory().toString(), "--format", "csv")
                        .stdout()
                        .lines())
                .startsWith("name,value")
                .contains("sessions,0", "topics.1.name,bmp.mirror", "topics.1.partitions,12");
    }

    @Test
    void statusFailsIfTheStationReportsProblems() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        try {
            byte[] body = "{\"problems\":[\"Kafka is unavailable: timeout\"]}".getBytes(StandardCharsets.UTF_8);
            other.createContext("/api/v1/status", exchange -> {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            other.start();
            StationProcess.Outcome outcome = StationProcess.command(
                    "status", "--url", "http://127.0.0.1:" + other.getAddress().getPort());
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.stdout()).contains("Problem: Kafka is unavailable: timeout");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void doctorChecksTheServersOfARunningStation() {
        StationProcess.Outcome outcome = StationProcess.command(
                "doctor", "--data-dir", station.directory().toString(), "--format", "csv");
        assertThat(outcome.stdout())
                .contains("station,ok,\"running, process " + station.pid())
                .contains("all topics exist")
                .contains("database schema,ok,")
                .doesNotContain(",failed,");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void aRunningStationIsNotBackedUp() {
        Path file = folder.resolve("backup.tar.gz");
        StationProcess.Outcome outcome = StationProcess.command(
                "backup", file.toString(), "--data-dir", station.directory().toString());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.stderr())
                .startsWith("silkroute: a station runs on the data directory " + station.directory());
        assertThat(file).doesNotExist();
    }

    @Test
    void lookupWithoutMatchingRoutes() throws IOException {
        StationProcess.Outcome table = StationProcess.command(
                "lookup", "--data-dir", station.directory().toString(), "2001:DB8:0:0::1/33");
        assertThat(table.stderr()).isEmpty();
        assertThat(table.stdout()).isEqualTo("No route covers 2001:db8::/33\n");
        assertThat(table.exitCode()).isZero();
        StationProcess.Outcome json =
                StationProcess.command("lookup", "--url", "http://127.0.0.1:" + station.httpPort(), "--json", "::");
        assertThat(JSON.readTree(json.stdout()).isArray()).isTrue();
        assertThat(JSON.readTree(json.stdout())).isEmpty();
    }

    @Test
    void invalidLookupsAreProblems() throws IOException {
        problem("/api/v1/lookup", "an address or a prefix is required: use ?address=192.0.2.1 or ?prefix=192.0.2.0/24");
        problem(
                "/api/v1/lookup?address=%20",
                "an address or a prefix is required: use ?address=192.0.2.1 or ?prefix=192.0.2.0/24");
        problem(
                "/api/v1/lookup?address=192.0.2.1&prefix=::/0",
                "address and prefix exclude each other: use ?address=192.0.2.1 or ?prefix=192.0.2.0/24");
        problem("/api/v1/lookup?address=192.0.2.0/24", "'192.0.2.0/24' is not an address; use ?prefix= for a prefix");
        problem("/api/v1/lookup?prefix=192.0.2.0/40", "'192.0.2.0/40' is not a valid IPv4 prefix");
    }

    private static void problem(String path, String detail) throws IOException {
        HttpResponse<String> answer = station.get(path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(JSON.readTree(answer.body()).path("detail").asText()).isEqualTo(detail);
    }

    @Test
    void aStationWithoutRibLooksUpInTheDatabase() {
        try (StationProcess second = StationProcess.start(
                folder.resolve("api"),
                "--roles",
                "api",
                "--kafka-bootstrap",
                station.kafkaBootstrap(),
                "--jdbc-url",
                station.jdbcUrl())) {
            StationProcess.Outcome outcome = StationProcess.command(
                    "lookup", "--data-dir", second.directory().toString(), "192.0.2.1");
            assertThat(outcome.stdout()).isEqualTo("No route covers 192.0.2.1\n");
            assertThat(outcome.exitCode()).isZero();
        }
    }

    @Test
    void flowsAreDisabledByDefault() throws IOException {
        HttpResponse<String> answer = station.post("/api/v1/flows", "application/json", "{}");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(JSON.readTree(answer.body()).path("detail").asText())
                .isEqualTo("This station does not enrich flow records: the role rib and"
                        + " silkroute.routes.flows.enabled=true are required");
    }

    @Test
    void routersAndPeers() {
        assertThat(station.get("/api/v1/routers").body()).isEqualTo("[]");
        assertThat(station.get("/api/v1/peers").body()).isEqualTo("[]");
    }

    @Test
    void errorsAreProblemDetails() throws IOException {
        HttpResponse<String> answer = station.get("/api/v1/nothing");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.path("status").asInt()).isEqualTo(404);
        assertThat(problem.path("title").asText()).isEqualTo("Not Found");
        assertThat(problem.path("instance").asText()).isEqualTo("/api/v1/nothing");
    }

    @Test
    void aSecondStationUsesExternalServers() {
        try (StationProcess second = StationProcess.start(
                Map.of("SILKROUTE_TOPIC_PARTITIONS", "3", "SILKROUTE_TOPIC_STATS_CONFIG_MAX_MESSAGE_BYTES", "9000000"),
                folder.resolve("second"),
                "--kafka-bootstrap",
                station.kafkaBootstrap(),
                "--jdbc-url",
                station.jdbcUrl())) {
            assertThat(second.log())
                    .contains("Topic bmp.raw has 12 partitions but 3 are configured: only the first 3 receive records")
                    .containsOnlyOnce(
                            "Topic bmp.stats accepts records of at most 8388608 bytes (max.message.bytes) but 9000000"
                                    + " are configured")
                    .containsOnlyOnce(
                            "3 replicas and min.insync.replicas of 2 prevent that: bmp.identities, bmp.mirror, ")
                    .contains("(replicas 1, min.insync.replicas 1)");
            assertThat(second.kafkaBootstrap()).isEqualTo(station.kafkaBootstrap());
            assertThat(second.jdbcUrl()).isEqualTo(station.jdbcUrl());
            assertThat(second.children()).isEmpty();
            assertThat(second.stop()).isZero();
        }
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
    }
}
