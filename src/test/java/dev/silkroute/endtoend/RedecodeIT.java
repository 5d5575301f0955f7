package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A station that is limited to one peer quarantines nearly all messages of a router. Redecoded with the usual limit,
 * its history must equal that of a station that did not reject anything. The steps build on one another, with one
 * station and one session.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RedecodeIT {
    private static final String CAPTURE = "gobgp-all";
    private static final String HISTORY =
            "SELECT event || ' ' || family || ' ' || coalesce(prefix::text, nlri), count(*)"
                    + " FROM bmp.v_route_history WHERE NOT synthetic GROUP BY 1 ORDER BY 1";
    private static final String STATE =
            "SELECT rib_view, family, nlri, path_id, session_id, last_changed FROM bmp.v_rib ORDER BY 1, 2, 3, 4,"
                    + " peer_address";
    private static final String PEERS = "SELECT peer_address, rib_view, state FROM bmp.v_peers ORDER BY 1, 2";

    @TempDir
    private static Path folder;

    private static StationProcess station;
    private static List<String> stateBefore;
    private static List<String> peersBefore;

    @BeforeAll
    static void start() throws Exception {
        station =
                StationProcess.startOnSharedServers(Map.of("SILKROUTE_SESSION_MAX_PEERS", "1"), folder.resolve("data"));
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(CaptureFiles.stream(CAPTURE));
        }
        await().untilAsserted(() ->
                assertThat(station.sql("SELECT state FROM bmp.v_routers")).containsExactly("disconnected"));
        await().untilAsserted(() -> assertThat(count("bmp.quarantine")).isGreaterThan(100));
        settled();
        stateBefore = station.sql(STATE);
        peersBefore = station.sql(PEERS);
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    private static StationProcess.Outcome redecode(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("redecode", "--data-dir", folder.resolve("data").toString()));
        arguments.addAll(List.of(options));
        return StationProcess.command(arguments.toArray(String[]::new));
    }

    private static long count(String table) {
        return Long.parseLong(station.sql("SELECT count(*) FROM " + table).getFirst());
    }

    private static long open() {
        return count("bmp.v_quarantine WHERE state = 'open'");
    }

    /** The messages of the capture that cannot be decoded with the usual settings. */
    private static long undecodable() {
        InetAddress address = InetAddress.getLoopbackAddress();
        BmpSession session =
                new BmpSession(new SessionConfig("c", 20_000), 1, address, RouterIdentity.ofAddress(address));
        return ParsedRecords.of(session.decode(CaptureFiles.stream(CAPTURE), 0, 0, null), LaneName.QUARANTINE)
                .size();
    }

    /** Waits until every lane has stored all records of its topic. */
    private static void settled() {
        await().untilAsserted(() -> {
            for (JsonNode lane :
                    CaptureFiles.parse(station.get("/api/v1/status").body()).get("topics")) {
                if (lane.has("lag")) {
                    assertThat(lane.get("lag").asLong()).as(lane.toString()).isZero();
                }
            }
        });
    }

    /** The announcements and withdrawals of prefixes in the capture, counted by another decoder. */
    private static Map<String, Long> truth() {
        Map<String, Long> truth = new HashMap<>();
        for (JsonNode row : CaptureFiles.messages(CAPTURE)) {
            if (row.get("type").asText().equals("route_monitoring")
                    && !row.get("action").asText().equals("eor")
                    && row.get("afi").asInt() <= 2
                    && row.get("safi").asInt() == 1) {
                truth.merge(row.get("action").asText() + " " + RouteText.identity(row), 1L, Long::sum);
            }
        }
        return truth;
    }

    private static Map<String, Long> history() throws Exception {
        Map<String, Long> history = new HashMap<>();
        try (var connection = station.connect();
                var rows = connection
                        .createStatement()
                        .executeQuery("SELECT event, " + RouteText.COLUMNS
                                + " FROM bmp.v_route_history WHERE safi = 1 AND afi <= 2 AND NOT synthetic")) {
            while (rows.next()) {
                history.merge(rows.getString("event") + " " + RouteText.identity(rows), 1L, Long::sum);
            }
        }
        return history;
    }

    @Test
    @Order(1)
    void givenADryRunThenItReportsTheResultAndChangesNothing() {
        long open = open();
        var outcome = redecode("--dry-run");
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
        assertThat(outcome.stdout())
                .startsWith("Would redecode: %,d quarantined messages of 1 session: %,d decoded"
                        .formatted(open, open - undecodable()))
                .endsWith(" %,d undecodable, 0 skipped; nothing was sent\n".formatted(undecodable()));
        assertThat(open()).isEqualTo(open);
    }

    @Test
    @Order(1)
    void givenAQuarantineThenItIsReadPageByPageOverHttp() {
        var page = station.get("/api/v1/quarantine?router=gobgp-1&limit=2");
        JsonNode rows = CaptureFiles.parse(page.body()).get("data");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(rows).hasSize(2);
        JsonNode row = rows.get(0);
        assertThat(station.sql("SELECT router, host(peer_address), message_type, reason, rfc_section, byte_offset,"
                        + " encode(bytes, 'hex'), session_id, sequence, state FROM bmp.v_quarantine ORDER BY id"
                        + " DESC LIMIT 1"))
                .containsExactly(String.join(
                        "|",
                        row.get("router").asText(),
                        row.get("peer_address").asText(),
                        row.get("message_type").asText(),
                        row.get("reason").asText(),
                        row.get("rfc_section").asText(),
                        row.get("byte_offset").asText(),
                        row.get("bytes").asText(),
                        row.get("session_id").asText(),
                        row.get("sequence").asText(),
                        row.get("state").asText()));
        assertThat(row.has("redecoded_at")).isFalse();
        String lastUpdated = CaptureFiles.parse(page.body()).get("last_updated").asText();
        assertThat(page.headers().firstValue("Silkroute-Last-Updated")).contains(lastUpdated);
        assertThat(page.headers().firstValue("ETag")).isPresent();
        // All pages together contain each row once, also as lines with other fields
        List<String> ids = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            var lines = station.get(
                    "/api/v1/quarantine?limit=2&fields=id,state&cursor=" + cursor, "Accept", "application/x-ndjson");
            assertThat(lines.headers().firstValue("Content-Type").orElse("")).startsWith("application/x-ndjson");
            cursor = null;
            for (JsonNode line : lines.body().lines().map(CaptureFiles::parse).toList()) {
                if (line.has("next")) {
                    cursor = line.get("next").asText();
                } else {
                    assertThat(line.fieldNames()).toIterable().containsExactly("id", "state");
                    ids.add(line.get("id").asText());
                }
            }
        }
        assertThat(ids).isEqualTo(station.sql("SELECT id FROM bmp.v_quarantine ORDER BY id DESC"));
        String peer = row.get("peer_address").asText();
        assertThat(ids("peer=" + peer + "&view=" + row.get("rib_view").asText()))
                .isEqualTo(station.sql("SELECT id FROM bmp.v_quarantine WHERE peer_address = '" + peer
                        + "' AND rib_view = '" + row.get("rib_view").asText() + "' ORDER BY id DESC"));
        for (String none : List.of("state=redecoded", "router=nobody", "peer=192.0.2.254", "at=2026-01-01")) {
            assertThat(ids(none)).as(none).isEmpty();
        }
        for (String wrong :
                List.of("limit=0", "limit=1000001", "limit=x", "cursor=-1", "state=lost", "fields=h", "view=none")) {
            var rejected = station.get("/api/v1/quarantine?" + wrong);
            assertThat(rejected.statusCode()).as(wrong).isEqualTo(400);
            assertThat(rejected.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(CaptureFiles.parse(rejected.body()).get("detail").asText())
                    .contains(wrong.substring(0, wrong.indexOf('=')));
        }
    }

    private static List<String> ids(String filter) {
        return CaptureFiles.parse(station.get("/api/v1/quarantine?" + filter).body())
                .get("data")
                .findValuesAsText("id");
    }

    @Test
    @Order(2)
    void givenAnotherRouterThenNothingIsDecoded() {
        var outcome = redecode("--router", "nobody");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.stdout()).startsWith("Redecoded: 0 quarantined messages of 0 sessions");
    }

    @Test
    @Order(3)
    void givenQuarantinedMessagesWhenTheyAreRedecodedThenHistoryIsCompletedAndTheCurrentStateIsUnchanged()
            throws Exception {
        assertThat(history()).isNotEqualTo(truth());
        var outcome = redecode();
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
        await().untilAsserted(() -> assertThat(history()).isEqualTo(truth()));
        assertThat(open()).isEqualTo(undecodable());
        assertThat(count("bmp.v_quarantine WHERE state = 'redecoded' AND redecoded_at IS NOT NULL"))
                .isEqualTo(count("bmp.quarantine") - undecodable());
        settled();
        assertThat(station.sql(STATE)).isEqualTo(stateBefore);
        assertThat(station.sql(PEERS)).isEqualTo(peersBefore);
        assertThat(station.sql("SELECT DISTINCT session_id = (SELECT max(session_id) FROM bmp.v_routers)"
                        + " FROM bmp.v_route_history"))
                .containsExactly("t");
        long peersUp = CaptureFiles.messages(CAPTURE).stream()
                .filter(row -> row.get("type").asText().equals("peer_up"))
                .count();
        assertThat(count("bmp.v_peer_events WHERE event = 'peer-up'")).isEqualTo(peersUp);
        assertThat(count("bmp.v_peer_events WHERE event = 'session-up'")).isEqualTo(1);
    }

    @Test
    @Order(4)
    void givenARepetitionThenNothingIsAdded() {
        List<String> history = station.sql(HISTORY);
        var again = redecode();
        assertThat(again.exitCode()).isZero();
        assertThat(again.stdout()).contains(": 0 decoded (0 events), ").endsWith("; 0 records sent\n");
        station.sql("UPDATE bmp.quarantine SET redecoded_at = NULL RETURNING 1"); // as if it had been stopped before it
        // marked them
        long statistics = count("bmp.statistic");
        long events = count("bmp.peer_event");
        var twice = redecode();
        assertThat(twice.exitCode()).isZero();
        settled();
        assertThat(station.sql(HISTORY)).isEqualTo(history);
        assertThat(count("bmp.statistic")).isEqualTo(statistics);
        assertThat(count("bmp.peer_event")).isEqualTo(events);
    }

    @Test
    @Order(5)
    void givenASpanOfTimeInPlaceThenHistoryIsAsItWas() {
        List<String> history = station.sql(HISTORY);
        var outcome = redecode("--raw", "--from", "2020-01-01", "--in-place");
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
        settled();
        assertThat(station.sql(HISTORY)).isEqualTo(history);
        assertThat(station.sql(STATE)).isEqualTo(stateBefore);
        assertThat(open()).isEqualTo(undecodable());
    }

    @Test
    @Order(6)
    void givenASpanOfTimeToAnotherTopicThenItHoldsEveryEventOfTheSession() {
        var outcome = redecode("--raw", "--from", "2020-01-01T00:00:00Z", "--router", "gobgp-1");
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
        long routes = 0;
        for (ConsumerRecord<byte[], byte[]> record : station.records("bmp.routes.redecoded")) {
            RouteBatch batch = RouteBatch.read(record.value());
            assertThat(batch.redecoded()).isFalse();
            var cursor = batch.cursor();
            while (cursor.next()) {
                routes += cursor.kind().isRoute() ? 1 : 0;
            }
        }
        assertThat(routes).isEqualTo(count("bmp.route_event WHERE NOT synthetic"));
    }

    @Test
    @Order(7)
    void givenInvalidArgumentsThenTheErrorIsOneLine() {
        assertThat(redecode("--raw").stderr()).isEqualTo("silkroute: --raw requires --from TIME\n");
        var time = redecode("--from", "yesterday");
        assertThat(time.exitCode()).isEqualTo(2);
        assertThat(time.stderr())
                .isEqualTo("silkroute: --from yesterday is not a time such as 2026-11-21T09:30:00Z or 2026-11-21\n");
        assertThat(redecode("--to-topic", "x").stderr())
                .isEqualTo("silkroute: --to-topic and --in-place require --raw\n");
    }

    @Test
    @Order(8)
    void givenRawRecordsThatAreGoneThenTheSessionIsLeftUnlessItsContextIsWaived() throws Exception {
        station.sql("UPDATE bmp.quarantine SET redecoded_at = NULL RETURNING 1");
        station.sql("DELETE FROM bmp.route_event RETURNING 1");
        long open = open();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", station.kafkaBootstrap()))) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            for (int i = 0; i < 12; i++) {
                all.put(new TopicPartition("bmp.raw", i), RecordsToDelete.beforeOffset(-1));
            }
            admin.deleteRecords(all).all().get();
        }
        var left = redecode();
        assertThat(left.exitCode()).isEqualTo(1);
        assertThat(left.stderr())
                .contains(" of gobgp-1: " + open + " of its messages have expired from bmp.raw;"
                        + " skipped (use --without-context to decode it with incomplete context)");
        assertThat(open()).isEqualTo(open);

        var anyway = redecode("--without-context");
        assertThat(anyway.exitCode()).as(anyway.toString()).isZero();
        settled();
        assertThat(count("bmp.route_event WHERE NOT synthetic")).isPositive();
        assertThat(count("bmp.v_peer_events WHERE event = 'session-up'")).isEqualTo(1);
        assertThat(count("bmp.v_peer_events WHERE event = 'peer-unannounced' AND detail ? 'redecoded'"))
                .isZero();
    }
}
