package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.load.DecodedLoad;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the withdrawals by a station are in the topic as in its history. */
class WithdrawalsTopicIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String TOPIC = "bmp.withdrawals.json";
    private static final List<String> FIELDS = List.of(
            "router",
            "peer_address",
            "peer_asn",
            "peer_bgp_id",
            "peer_type",
            "peer_distinguisher",
            "rib_view",
            "afi",
            "safi",
            "family",
            "rd",
            "prefix",
            "nlri",
            "path_id",
            "event",
            "synthetic",
            "session_id",
            "sequence",
            "received_at");
    private static final String HISTORY = "SELECT router, host(peer_address), peer_asn, host(peer_bgp_id), peer_type,"
            + " peer_distinguisher, rib_view, afi, safi, family, rd, prefix, nlri, path_id, event,"
            + " synthetic::text, session_id, sequence,"
            + " to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
            + " FROM bmp.v_route_history WHERE synthetic ORDER BY session_id, sequence";
    private static final String UNSETTLED = "SELECT (SELECT count(*) FROM bmp.rib_resync)"
            + " + (SELECT count(*) FROM bmp.rib_ended) + (SELECT count(*) FROM bmp.withdrawal_outbox)";

    /**
     * Returns whether the current-state lane has processed the end of the newest session that the lifecycle lane has
     * ended.
     */
    private static final String SESSIONS_OVER = "SELECT count(*), (SELECT live FROM bmp.live_session l"
            + " WHERE l.session_id = max(e.session_id)) FROM bmp.peer_event e WHERE event = 'session-down'";

    @TempDir
    private static Path folder;

    private static byte[] stream(long seed, int prefixes, boolean down) {
        return DecodedLoad.bytes(TestLoad.of(seed, 2, prefixes)
                .families(Family.IPV4_UNICAST, Family.VPNV4, Family.IPV6_UNICAST, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                .down(down)
                .router());
    }

    private static void awaitRow(StationProcess station, String query, String row) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(station.sql(query)).containsExactly(row));
    }

    private static long rows(StationProcess station, String from) {
        return Long.parseLong(station.sql("SELECT count(*) FROM bmp." + from).getFirst());
    }

    /** Waits until some withdrawals are in the topic, some are pending, and some are not made yet. */
    private static void awaitPending(StationProcess station) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", station.kafkaBootstrap()))) {
            long before = records(admin);
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(LIMIT)
                    .until(() -> records(admin) > before
                            && station.sql("SELECT EXISTS (TABLE bmp.withdrawal_outbox), EXISTS (TABLE bmp.rib_route)")
                                    .equals(List.of("t|t")));
        }
    }

    /** Returns the number of records in the topic, from its offsets, which is much faster than reading it. */
    private static long records(Admin admin) {
        try {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (TopicPartitionInfo partition : admin.describeTopics(List.of(TOPIC))
                    .allTopicNames()
                    .get()
                    .get(TOPIC)
                    .partitions()) {
                ends.put(new TopicPartition(TOPIC, partition.partition()), OffsetSpec.latest());
            }
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(ListOffsetsResultInfo::offset)
                    .sum();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("SILKROUTE_ROUTES_WITHDRAWALS_ENABLED", "true"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    /**
     * Returns the records of the topic in the format of {@link #HISTORY}; checks each against the schema and its key.
     */
    private static List<String> published(StationProcess station) throws Exception {
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        List<String> published = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : station.records(TOPIC)) {
            JsonNode event = CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8));
            assertThat(schema.validate(event)).isEmpty();
            assertThat(new String(record.key(), StandardCharsets.UTF_8))
                    .isEqualTo(event.get("router").asText());
            assertThat(event.get("router_address").asText()).isEqualTo("127.0.0.1");
            assertThat(event.get("collector").asText()).isNotBlank();
            assertThat(event.size()).isLessThanOrEqualTo(FIELDS.size() + 2);
            published.add(String.join(
                    "|",
                    FIELDS.stream()
                            .map(field -> event.path(field).asText("-"))
                            .map(text -> text.isEmpty() ? "-" : text)
                            .toList()));
        }
        return published;
    }

    /** Returns the withdrawals of each route in order. */
    private static Map<String, List<String>> byRoute(Collection<String> rows) {
        Map<String, List<String>> routes = new HashMap<>();
        for (String row : rows) {
            List<String> values = List.of(row.split("\\|"));
            routes.computeIfAbsent(String.join("|", values.subList(0, 14)), route -> new ArrayList<>())
                    .add(String.join("|", values.subList(16, values.size())));
        }
        return routes;
    }

    /** Waits until everything that the router sent is processed. Sessions are numbered from 1. */
    private static void session(StationProcess station, int number, byte[] stream) throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(stream);
        }
        awaitRow(station, SESSIONS_OVER, number + "|f");
        awaitRow(station, UNSETTLED, "0");
    }

    @Test
    void givenPeersThatGoDownAndTablesThatShrinkThenTheTopicEqualsHistory() throws Exception {
        try (StationProcess station = StationProcess.startOnSharedServers(settings(), folder.resolve("published"))) {
            // Given: a table, and then one without most of its routes
            session(station, 1, stream(1, 300, false));
            session(station, 2, stream(2, 200, false));
            // the first one again, whose peers go down at the end, and at once again: the lane withdraws the routes
            // that the purge has not reached
            byte[] down = stream(1, 300, true);
            try (TestRouter router = TestRouter.connect(station.bmpPort())) {
                router.send(down);
            }
            session(station, 4, down);
            assertThat(station.sql("SELECT count(*) FROM bmp.rib_route")).containsExactly("0");

            // Then
            List<String> history = station.sql(HISTORY);
            assertThat(history).hasSizeGreaterThan(1000);
            List<String> published = published(station);
            assertThat(published.stream().sorted().toList())
                    .isEqualTo(history.stream().sorted().toList());
            assertThat(byRoute(published)).isEqualTo(byRoute(history));
            int most = byRoute(published).values().stream()
                    .mapToInt(List::size)
                    .max()
                    .orElse(0);
            assertThat(most).as("withdrawals of one route").isGreaterThan(1);
            // Each run of the purge measures it
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.meter("silkroute_pgstate_pending_withdrawals"))
                            .hasValue(0));
        }
    }

    @Test
    void givenAStationThatIsKilledThenNoneIsLost() throws Exception {
        // The purge waits for the outbox, so no kill can come after everything is done, however long a start takes
        Map<String, String> slow = settings(
                "SILKROUTE_STATE_BATCH_SIZE",
                "10",
                "SILKROUTE_WITHDRAWALS_MAX_PENDING",
                "100",
                "SILKROUTE_WRITER_SESSION_TIMEOUT",
                "6s");
        long size;
        StationProcess first = StationProcess.startOnSharedServers(slow, folder.resolve("killed"));
        try (first;
                TestRouter router = TestRouter.connect(first.bmpPort())) {
            router.send(stream(5, 500, true));
            await().atMost(LIMIT).until(() -> rows(first, "rib_ended") > 0);
            await().atMost(LIMIT).until(() -> rows(first, "v_rib") == 0);
            size = rows(first, "v_route_history WHERE event = 'announce'");
            awaitPending(first);
            first.killHard();
        }
        StationProcess second = first.startAgain(slow);
        try (second) {
            awaitPending(second);
            second.killHard();
        }
        try (StationProcess station = second.startAgain(settings())) {
            awaitRow(station, "SELECT count(*) FROM bmp.rib_route", "0");
            awaitRow(station, UNSETTLED, "0");
            List<String> history = station.sql(HISTORY);
            assertThat(history).hasSize((int) size);
            // Some may be duplicates
            LinkedHashSet<String> published = new LinkedHashSet<>(published(station));
            assertThat(published.stream().sorted())
                    .containsExactlyElementsOf(history.stream().sorted().toList());
            assertThat(byRoute(published)).isEqualTo(byRoute(history));
        }
    }
}
