package dev.silkroute.endtoend.shared;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.tlv;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.alert.AlertEngine;
import dev.silkroute.alert.QuarantineEngine;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.app.alert.ConfiguredRules;
import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.Timestamps;
import dev.silkroute.route.RouteBatch;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * An incident on a socket becomes a record, a row and a response, and its end closes the alert. Evaluating the topic of
 * routes again, and evaluating the history, leads to the same records byte by byte.
 *
 * <p>Alerts wait for their times, so the tests run concurrently. Each has a router of its own.
 */
@Execution(ExecutionMode.CONCURRENT)
class AlertsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String ROUTER = "alerting";
    private static final byte[] NLRI = {24, (byte) 198, 18, 26};
    private static final byte[] NONE = {};
    private static final int STATISTICS_REPORT = 1;
    private static final Duration REPORTS = Duration.ofSeconds(5);
    /** The interval of reading the topic while alerts become due, at multiples of ten seconds. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final int PEER_DOWN = 2;
    /** The reason of a Peer Down: the local system closed the session without a notification; an FSM event follows. */
    private static final byte LOCAL_NO_NOTIFICATION = 2;

    private static final Configuration DEFAULTS = Configuration.of(Map.of(), Map.of(), Map.of());
    private static final String KEY = SharedStation.MONITORED + " origin-change AS65001";

    private final StationProcess station = SharedStation.get();

    @Test
    void incidentOpensAnAlertAndItsEndClosesIt(@TempDir Path folder) throws Exception {
        Instant begun = Instant.now();
        List<String> streamed = new CopyOnWriteArrayList<>();
        try (HttpClient http = HttpClient.newHttpClient();
                AutoCloseable _ = http::shutdownNow) { // close() waits for the streams
            stream(http, "type=ALERT&prefix=198.18.0.0/15&router=" + ROUTER, streamed);
            List<String> ofAnotherPrefix = new CopyOnWriteArrayList<>();
            stream(http, "type=ALERT&prefix=198.18.27.0/24", ofAnotherPrefix);
            List<String> others = new CopyOnWriteArrayList<>();
            stream(http, "router=" + ROUTER, others);
            incidentOpensAnAlertAndItsEndClosesIt(folder, begun);
            await().untilAsserted(() -> assertThat(streamed).hasSize(4));
            assertThat(streamed.stream()
                            .map(CaptureFiles::parse)
                            .map(AlertsIT::withoutFieldsOfTheStream)
                            .toList())
                    .as("the records of bmp.alerts, in their order")
                    .isEqualTo(records().stream().map(CaptureFiles::parse).toList());
            assertThat(ofAnotherPrefix).isEmpty();
            assertThat(others.stream()
                            .map(message ->
                                    CaptureFiles.parse(message).path("type").asText()))
                    .as("without type=ALERT")
                    .contains("UPDATE", "SESSION")
                    .doesNotContain("ALERT");
        }
    }

    /** Adds the messages of a live stream to a list. Returns when the stream has begun. */
    private void stream(HttpClient http, String filter, List<String> messages) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + station.httpPort() + "/api/v1/stream?" + filter);
        HttpResponse<Stream<String>> response =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        Iterator<String> lines = response.body().iterator();
        while (!lines.next().startsWith("retry:")) {}
        Thread.ofVirtual().start(() -> {
            try {
                lines.forEachRemaining(line -> {
                    if (line.startsWith("data: ")) {
                        messages.add(line.substring("data: ".length()));
                    }
                });
            } catch (UncheckedIOException e) {
                // The client has been shut down. Uncaught, it would end the waiting of other tests.
            }
        });
    }

    /** Checks the fields that messages of the stream have besides those of the record. */
    private static JsonNode withoutFieldsOfTheStream(JsonNode message) {
        ObjectNode record = message.deepCopy();
        assertThat(record.remove("type").asText()).isEqualTo("ALERT");
        assertThat(Timestamps.text(record.remove("timestamp")
                        .decimalValue()
                        .movePointRight(6)
                        .longValueExact()))
                .isEqualTo(record.path("changed_at").asText());
        return record;
    }

    private void incidentOpensAnAlertAndItsEndClosesIt(Path folder, Instant begun) throws Exception {
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), SharedStation.RULES);
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
            JsonNode linked = CaptureFiles.parse(
                    station.get(evidence.path("link").asText()).body());
            assertThat(linked.path("data"))
                    .as("the event that the evidence links")
                    .hasSize(1);
            assertThat(linked.path("data").get(0).path("sequence")).isEqualTo(evidence.path("sequence"));
            // Routers of the other tests may be disconnected
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.meter("silkroute_alerts_open"))
                            .hasValue(Double.parseDouble(
                                    station.sql("SELECT count(*) FROM bmp.v_alerts WHERE state = 'open'")
                                            .getFirst())));
            assertThat(command("init", "--router", ROUTER, "--asn", "65001")).isEqualTo("""
                            "198.18.26.0/24":
                              description: ""
                              asn: [65001]
                              ignoreMorespecifics: false
                            options:
                              monitorASns:
                                65001: {group: default}
                            """);

            assertTheCommandPrintsWhatTheDocumentationShows();
            assertTheFileOfRulesIsMadeAsTheDocumentationShows();

            router.send(monitoring(update(NLRI, NONE, NONE)));
            awaitState("origin-change|closed|198.18.26.0/24|shared|1");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertTheTestOfRulesPrintsWhatTheDocumentationShows(rules, begun));
        }
        byte[] begin = join(initiation(ROUTER), peerUp("192.0.2.77"));
        byte[] endOfRib = monitoring(update(NONE, NONE, NONE));
        byte[] incident = monitoring(update(NONE, attributes(), NLRI));
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(join(begin, endOfRib, incident));
            awaitState("origin-change|closed|198.18.26.0/24|shared|1", "origin-change|open|198.18.26.0/24|shared|1");
        }
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(join(begin, incident, endOfRib)); // repeated unchanged
            router.send(monitoring(update(NLRI, NONE, NONE)));
            awaitState("origin-change|closed|198.18.26.0/24|shared|1", "origin-change|closed|198.18.26.0/24|shared|1");
        }
        assertThat(events()).containsExactly("opened", "closed", "opened", "closed");
        List<String> live = records();
        assertThat(aboutPrefixes(replayed(rules))).isEqualTo(live);
        await().atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(aboutPrefixes(backtested(rules, begun))).isEqualTo(live));
        assertThat(station.get("/api/v1/alerts").body()).doesNotContain(SharedStation.MONITORED);
        assertThatAlertsOfThePastHaveTheStateOfThatTime(begun);
    }

    private void assertThatAlertsOfThePastHaveTheStateOfThatTime(Instant begun) {
        JsonNode alert = alertsAt("all", "-0s").get(0);
        JsonNode open = alertsAt("open", alert.get("opened_at").asText()).get(0);
        assertThat(open.get("alert_id")).isEqualTo(alert.get("alert_id"));
        assertThat(open.get("state").asText()).isEqualTo("open");
        assertThat(open.has("closed_at")).isFalse();
        assertThat(alert.get("state").asText()).isEqualTo("closed");
        String closed = alert.get("closed_at").asText();
        assertThat(alertsAt("open", closed)).isEmpty();
        assertThat(alertsAt("closed", closed)).hasSize(2);
        assertThat(alertsAt("closed", alert.get("opened_at").asText())).hasSize(1);
        assertThat(alertsAt("all", begun.toString())).isEmpty();
    }

    private JsonNode alertsAt(String state, String time) {
        return CaptureFiles.parse(station.get("/api/v1/alerts?rule=origin-change&router=" + ROUTER + "&state=" + state
                                + "&at=" + URLEncoder.encode(time, StandardCharsets.UTF_8))
                        .body())
                .path("data");
    }

    /** The alerts open at a multiple of ten seconds, at the latest 41 s after the event. */
    @Test
    void routerAndPeerThatAreGoneOpenAlerts(@TempDir Path folder) throws Exception {
        Instant begun = Instant.now();
        String peer = "peer 192.0.2.83 AS65001 of " + SharedStation.VANISHING;
        String router = "router " + SharedStation.VANISHING;
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(join(initiation(SharedStation.VANISHING), peerUp("192.0.2.83")));
            connection.send(bmp(PEER_DOWN, peerHeader("192.0.2.83"), new byte[] {LOCAL_NO_NOTIFICATION, 0, 0}));
            awaitChanges("opened " + peer + " peer-gone");
            connection.send(peerUp("192.0.2.83"));
            awaitChanges("opened " + peer + " peer-gone", "closed " + peer + " peer-gone");
        }
        awaitChanges(
                "opened " + peer + " peer-gone", "closed " + peer + " peer-gone", "opened " + router + " router-gone");
        JsonNode gone = CaptureFiles.parse(
                station.get("/api/v1/alerts?rule=router-gone").body());
        assertThat(gone.path("data").get(0).path("router").asText()).isEqualTo(SharedStation.VANISHING);
        assertThat(gone.path("data").get(0).has("prefix")).isFalse();
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(initiation(SharedStation.VANISHING));
            awaitChanges(
                    "opened " + peer + " peer-gone",
                    "closed " + peer + " peer-gone",
                    "opened " + router + " router-gone",
                    "closed " + router + " router-gone");
            List<String> live = vanishing(allRecords());
            Path rules = Files.writeString(folder.resolve("prefixes.yml"), SharedStation.RULES);
            assertThat(vanishing(replayed(rules))).startsWith(live.toArray(String[]::new));
            await().atMost(LIMIT)
                    .untilAsserted(() ->
                            assertThat(vanishing(backtested(rules, begun))).startsWith(live.toArray(String[]::new)));
        }
    }

    @Test
    void tablesWithTooManyAndTooFewRoutesOpenAlerts(@TempDir Path folder) throws Exception {
        Instant begun = Instant.now();
        String table = "table adj-rib-in-pre ipv4-unicast of peer 192.0.2.77 AS65001 of " + SharedStation.COUNTED
                + " table-size ";
        byte[] first = {24, (byte) 198, 19, 1};
        byte[] others = {24, (byte) 198, 19, 2, 24, (byte) 198, 19, 3};
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(join(
                    initiation(SharedStation.COUNTED),
                    peerUp("192.0.2.77"),
                    monitoring(update(NONE, attributes(), first)),
                    monitoring(update(NONE, attributes(), others)),
                    monitoring(update(NONE, NONE, NONE))));
            awaitChangesOf(SharedStation.COUNTED, "opened " + table + "max");
            connection.send(monitoring(update(others, NONE, NONE)));
            awaitChangesOf(SharedStation.COUNTED, "opened " + table + "max", "closed " + table + "max");
            connection.send(monitoring(update(first, NONE, NONE)));
            awaitChangesOf(
                    SharedStation.COUNTED,
                    "opened " + table + "max",
                    "closed " + table + "max",
                    "opened " + table + "min");
            connection.send(monitoring(update(NONE, attributes(), first)));
            awaitChangesOf(
                    SharedStation.COUNTED,
                    "opened " + table + "max",
                    "closed " + table + "max",
                    "opened " + table + "min",
                    "closed " + table + "min");
            JsonNode past = CaptureFiles.parse(
                    station.get("/api/v1/alerts?state=all&rule=table-size&router=" + SharedStation.COUNTED)
                            .body());
            assertThat(past.path("data")).hasSize(2);
            assertThat(past.path("data").get(0).path("rib_view").asText()).isEqualTo("adj-rib-in-pre");
            assertThat(past.path("data").get(0).path("family").asText()).isEqualTo("ipv4-unicast");
            List<String> live = of(SharedStation.COUNTED, allRecords());
            Path rules = Files.writeString(folder.resolve("prefixes.yml"), SharedStation.RULES);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(of(SharedStation.COUNTED, backtested(rules, begun)))
                            .isEqualTo(live));
        }
        assertThat(of(
                        SharedStation.COUNTED,
                        replayed(Files.writeString(folder.resolve("again.yml"), SharedStation.RULES))))
                .isEqualTo(of(SharedStation.COUNTED, allRecords()));
    }

    /** Reports are compared a minute later. The first ones are not, because the table has just become complete. */
    @Test
    void statisticsThatDifferFromTheRoutesOpenAnAlertUntilTheyAgree(@TempDir Path folder) throws Exception {
        Instant begun = Instant.now();
        String alert = "table adj-rib-in-pre ipv4-unicast of peer 192.0.2.77 AS65001 of " + SharedStation.DIVERGING
                + " table-divergence";
        byte[] route = {24, (byte) 198, 19, 9};
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(join(
                    initiation(SharedStation.DIVERGING),
                    peerUp("192.0.2.77"),
                    monitoring(update(NONE, attributes(), route)),
                    monitoring(update(NONE, NONE, NONE))));
            awaitReported(connection, 2, "opened " + alert);
            awaitReported(connection, 1, "opened " + alert, "closed " + alert);
        }
        List<String> live = of(SharedStation.DIVERGING, allRecords());
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), SharedStation.RULES);
        await().untilAsserted(() -> assertThat(of(SharedStation.DIVERGING, backtested(rules, begun)))
                .isEqualTo(live));
    }

    /** Sends reports until the alerts have changed. */
    private void awaitReported(TestRouter connection, int routes, String... changes) {
        byte[] perFamily = tlv(9, new byte[] {0, 1, 1, 0, 0, 0, 0, 0, 0, 0, (byte) routes});
        await().atMost(LIMIT.multipliedBy(2)).pollInterval(REPORTS).untilAsserted(() -> {
            connection.send(bmp(STATISTICS_REPORT, peerHeader("192.0.2.77"), new byte[] {0, 0, 0, 1}, perFamily));
            assertThat(changes(SharedStation.DIVERGING)).containsExactly(changes);
        });
    }

    private List<String> changes(String router) {
        return of(router, allRecords()).stream()
                .map(CaptureFiles::parse)
                .map(record ->
                        record.path("event").asText() + " " + record.path("key").asText())
                .toList();
    }

    /** The alert closes at least ten seconds after the last message. */
    @Test
    void undecodableMessagesOpenAnAlertUntilTheyEnd(@TempDir Path folder) throws Exception {
        Instant begun = Instant.now();
        String alert = "router " + SharedStation.DAMAGED + " quarantine-growth";
        byte[] damaged = monitoring(update(NONE, NONE, NONE));
        damaged[BmpMessages.PEER_BODY] = 0; // the first byte of the BGP marker
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(join(initiation(SharedStation.DAMAGED), peerUp("192.0.2.77"), damaged, damaged));
            awaitChangesOf(SharedStation.DAMAGED, "opened " + alert);
            await().untilAsserted(() -> assertThat(station.sql("""
                            SELECT q.router, q.peer_address, q.reason FROM bmp.v_alerts a
                            CROSS JOIN jsonb_array_elements(a.evidence) e
                            JOIN bmp.v_quarantine q ON q.session_id = (e->>'session_id')::bigint
                              AND q.sequence = (e->>'sequence')::bigint
                            WHERE a.rule = 'quarantine-growth' ORDER BY q.sequence"""))
                    .containsExactly(
                            "damaged|192.0.2.77|BGP marker is not all ones",
                            "damaged|192.0.2.77|BGP marker is not all ones"));
            awaitChangesOf(SharedStation.DAMAGED, "opened " + alert, "closed " + alert);
        }
        List<String> live = of(SharedStation.DAMAGED, allRecords());
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), SharedStation.RULES);
        assertThat(replayedMessages(rules)).isEqualTo(live);
        await().untilAsserted(() ->
                assertThat(of(SharedStation.DAMAGED, backtested(rules, begun))).isEqualTo(live));
    }

    private List<String> replayedMessages(Path rules) {
        List<String> changes = new ArrayList<>();
        QuarantineEngine engine = new QuarantineEngine(
                ConfiguredRules.read("rules", rules),
                ConfiguredRules.settings(DEFAULTS.station()),
                record -> changes.add(new String(record.json(), StandardCharsets.UTF_8)));
        for (var record : station.records("bmp.quarantine")) {
            engine.apply(
                    UndecodableMessage.read(CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8))));
        }
        engine.passTo(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        return changes;
    }

    private void awaitChanges(String... changes) {
        awaitChangesOf(SharedStation.VANISHING, changes);
    }

    private void awaitChangesOf(String router, String... changes) {
        await().atMost(LIMIT.multipliedBy(2))
                .pollInterval(SECOND)
                .untilAsserted(() -> assertThat(of(router, allRecords()).stream()
                                .map(CaptureFiles::parse)
                                .map(record -> record.path("event").asText() + " "
                                        + record.path("key").asText()))
                        .startsWith(changes));
    }

    private static List<String> vanishing(List<String> records) {
        return of(SharedStation.VANISHING, records);
    }

    private static List<String> of(String router, List<String> records) {
        return records.stream()
                .filter(record ->
                        CaptureFiles.parse(record).path("router").asText().equals(router))
                .toList();
    }

    /** In the order of their partitions. The router's changes are few and in the same order by time. */
    private List<String> allRecords() {
        return station.records("bmp.alerts").stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .sorted(Comparator.comparing(
                        record -> CaptureFiles.parse(record).path("changed_at").asText()))
                .toList();
    }

    /** The page has another prefix, and another AS as its origin. */
    private void assertTheCommandPrintsWhatTheDocumentationShows() {
        StationProcess.Outcome outcome = StationProcess.command(
                "alerts",
                "--prefix",
                SharedStation.MONITORED,
                "--data-dir",
                station.directory().toString());
        SeparateBlock.ALERTS.assertPrints(asOnThePage(outcome.stdout()));
    }

    private static String asOnThePage(String output) {
        return output.replace(SharedStation.MONITORED, "192.0.2.0/24")
                .replace("AS65001", "AS64666")
                .replace("shared", "Customer A");
    }

    /** The page has other AS numbers, and writes the output to a file. */
    private void assertTheFileOfRulesIsMadeAsTheDocumentationShows() {
        String line = SeparateBlock.ALERTS_INIT.block().text();
        List<String> words = List.of(line.replace("64500,64510", "65001,64510")
                .replace(" > prefixes.yml", "")
                .split(" "));
        assertThat(command(new StringWriter(), words.subList(2, words.size())))
                .contains("\"" + SharedStation.MONITORED + "\":", "asn: [65001]", "options:");
        SeparateBlock.ALERTS_INIT.assertPrints("");
    }

    /** The page has another span, with more routes. Rules of the station about routers have alerts, too. */
    private void assertTheTestOfRulesPrintsWhatTheDocumentationShows(Path rules, Instant begun) {
        List<String> words = List.of(SeparateBlock.ALERTS_TEST
                .block()
                .text()
                .replace("prefixes.yml", rules.toString())
                .replaceFirst("(?<=--from )\\S+", begun.toString())
                .replaceFirst("(?<=--to )\\S+", Instant.now().toString())
                .split(" "));
        StringWriter err = new StringWriter();
        List<String> records =
                command(err, words.subList(2, words.size())).lines().toList();
        String summary = err.toString()
                .replaceFirst("[\\d,]+ changes? of alerts in [\\d,]+ ", "2 changes of alerts in 2,000,001 ");
        SeparateBlock.ALERTS_TEST.assertPrints(asOnThePage(String.join("\n", aboutPrefixes(records)) + "\n" + summary)
                .replaceAll("\"id\":\"[0-9a-f]{16}\"", "\"id\":\"0c8b1a45fd6a3b21\""));
    }

    private List<String> replayed(Path rules) {
        List<String> changes = new ArrayList<>();
        AlertEngine engine = new AlertEngine(
                ConfiguredRules.read("rules", rules),
                ConfiguredRules.settings(DEFAULTS.station()),
                record -> changes.add(new String(record.json(), StandardCharsets.UTF_8)));
        station.records("bmp.routes").stream()
                .map(record -> RouteBatch.read(record.value()))
                .sorted(Comparator.comparingLong(RouteBatch::receivedAtMicros)) // several partitions
                .forEachOrdered(batch -> {
                    engine.passTo(batch.receivedAtMicros());
                    engine.apply(batch);
                });
        engine.passTo(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        return changes;
    }

    private static List<String> aboutPrefixes(List<String> records) {
        return records.stream()
                .filter(record -> CaptureFiles.parse(record).has("prefix"))
                .toList();
    }

    private List<String> backtested(Path rules, Instant from) {
        return command("test", rules.toString(), "--from", from.toString())
                .lines()
                .toList();
    }

    private String command(String... arguments) {
        return command(new StringWriter(), List.of(arguments));
    }

    private String command(StringWriter err, List<String> arguments) {
        StringWriter out = new StringWriter();
        List<String> line = new ArrayList<>(List.of("alerts"));
        line.addAll(arguments);
        line.addAll(List.of("--jdbc-url", station.jdbcUrl()));
        int exitCode = Cli.commandLine(DEFAULTS)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line.toArray(String[]::new));
        assertThat(exitCode).isZero();
        return out.toString();
    }

    private void awaitState(String... states) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                station.sql(
                                        "SELECT rule, state, prefix, description, vantage_points FROM bmp.v_alerts WHERE prefix IS NOT NULL ORDER BY opened_at"))
                        .containsExactly(states));
    }

    private List<String> events() {
        return records().stream()
                .map(record -> CaptureFiles.parse(record).path("event").asText())
                .toList();
    }

    private List<String> records() {
        return station.records("bmp.alerts").stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(KEY))
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
