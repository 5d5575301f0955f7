package dev.silkroute.app.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.rpki.RunningValidation;
import dev.silkroute.bgp.RibView;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.fixture.TopicReader;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.route.PeerEntry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts take over what an earlier run of the station has left in the database. */
class AlertFeedIT {
    private static final String OPEN = """
            {"event": "opened", "id": "0123456789abcdef", "key": "192.0.2.0/24 origin-change AS64666",
             "rule": "origin-change", "prefix": "192.0.2.0/24", "monitored_prefix": "192.0.2.0/24",
             "description": "mine", "group": "default", "condition": "c", "threshold": 1, "notify": true,
             "opened_at": "2026-11-25T10:00:00.000000Z", "notified_at": "2026-11-25T10:00:00.000000Z",
             "changed_at": "2026-11-25T10:00:00.000000Z", "vantage_points": 0, "evidence": [], "suppressed_by": []}""";

    private static final String UNDECODABLE = """
            {"event": "quarantine", "router": "damaged", "router_address": "192.0.2.9", "session_id": 7,
             "sequence": %d, "received_at": "2024-11-25T%sZ", "peer_type": "global",
             "peer_distinguisher": "0000000000000000", "peer_address": "2001:db8::1", "peer_asn": 64500,
             "peer_bgp_id": "192.0.2.1", "rib_view": "adj-rib-in-pre", "message_type": "route-monitoring", "offset": 48,
             "reason": "BGP marker is not all ones", "section": "RFC 4271, Section 4.1", "bytes": "AwA="}""";

    private static final String VRPS = "{\"roas\": [{\"prefix\": \"192.0.2.0/24\", \"asn\": %d, \"maxLength\": 24}]}";

    private final DataSource database = TestPostgres.database();

    private static final KafkaAccess KAFKA = new KafkaAccess(TestKafka.bootstrap(), Map.of());

    @TempDir
    Path folder;

    private StationConfig config(String rules, String... keysAndValues) throws IOException {
        Map<String, String> properties = new TreeMap<>(Map.of(
                "silkroute.routes.alerts.enabled",
                "true",
                "silkroute.alerts.rules",
                Files.writeString(folder.resolve("prefixes.yml"), rules).toString()));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Configuration.of(properties, Map.of(), Map.of()).station();
    }

    private static void createTopics(String... names) throws Exception {
        try (Admin admin = Admin.create(KAFKA.with(Map.of()))) {
            admin.createTopics(Arrays.stream(names)
                            .map(name -> new NewTopic(name, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private AlertFeed feed(StationConfig config) {
        return feed(config, new OriginValidation(config));
    }

    private AlertFeed feed(StationConfig config, OriginValidation validation) {
        return new AlertFeed(config, evaluator(config, validation), database, KAFKA);
    }

    private AlertEvaluator evaluator(StationConfig config, OriginValidation validation) {
        return new AlertEvaluator(
                config, new PublishedAlerts(config, database, KAFKA), validation, new SimpleMeterRegistry());
    }

    private void write(String rules, int second) throws IOException {
        Path file = Files.writeString(folder.resolve("prefixes.yml"), rules);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
    }

    private static List<String> events(List<Message> changes) {
        return changes.stream()
                .map(change -> CaptureFiles.parse(new String(change.getBody(byte[].class), StandardCharsets.UTF_8)))
                .map(record -> record.path("event").asText() + " "
                        + record.path("rule").asText())
                .toList();
    }

    @Test
    void changedRulesAreUsedWhenTheStateHasBeenLoadedAgainAndInvalidOnesNever() throws Exception {
        String routes = "alert-rules-routes";
        var config = config("192.0.2.0/24: {asn: 64666}\n", "silkroute.topic.alerts.name", "alert-rules-alerts");
        createTopics(routes, "alert-rules-alerts");
        TopicPartition partition = new TopicPartition(routes, 0);
        byte[] batch = batch(true);
        AlertEvaluator evaluator = evaluator(config, new OriginValidation(config));
        AlertFeed feed = new AlertFeed(config, evaluator, database, KAFKA);
        try (var camel = new DefaultCamelContext()) {
            assertThat(feed.nextOffset(partition)).isEmpty();
            assertThat(evaluateNothing(feed, camel)).isEmpty();
            assertThat(evaluate(feed, record(camel, routes, 0, batch))).isEmpty();
            assertThat(evaluator.readRules()).as("the same file").isFalse();

            write("192.0.2.0/24: {asm: 64500}\n", 1);
            assertThat(evaluator.readRules()).as("an invalid file").isFalse();
            assertThat(evaluateNothing(feed, camel)).isEmpty();

            write("192.0.2.0/24: {asn: 64500}\n", 2);
            assertThat(evaluator.readRules()).isTrue();
            feed.useRules();
            assertThat(feed.ready()).as("before loading").isFalse();
            assertThat(evaluator.readRules()).as("in use already").isFalse();
            assertThat(feed.nextOffset(partition)).isEmpty();
            assertThat(evaluateNothing(feed, camel)).isEmpty();
            List<Message> opened = evaluate(feed, record(camel, routes, 0, batch));
            assertThat(events(opened)).containsExactly("opened origin-change");
            store(new String(opened.getFirst().getBody(byte[].class), StandardCharsets.UTF_8));

            write("198.51.100.0/24: {asn: 64500}\n", 3);
            assertThat(evaluator.readRules()).isTrue();
            feed.useRules();
            assertThat(feed.nextOffset(partition)).isEmpty();
            assertThat(events(evaluateNothing(feed, camel)))
                    .as("the prefix is not monitored any more")
                    .containsExactly("closed origin-change");
        } finally {
            feed.stop();
        }
    }

    @Test
    void newVrpsOpenAlertsAtTheTimeOfTheirVersion() throws Exception {
        String routes = "alert-vrps-routes";
        Path vrps = Files.writeString(folder.resolve("vrps.json"), VRPS.formatted(64666));
        var config = config(
                "192.0.2.0/24: {asn: 64666}\n",
                "silkroute.topic.alerts.name",
                "alert-vrps-alerts",
                "silkroute.rpki.vrps",
                vrps.toString(),
                "silkroute.rpki.reload-interval",
                "100ms");
        createTopics(routes, "alert-vrps-alerts");
        try (RunningValidation running = RunningValidation.start(config, database);
                var camel = new DefaultCamelContext()) {
            AlertFeed feed = feed(config, running.validation());
            assertThat(feed.nextOffset(new TopicPartition(routes, 0))).isEmpty();
            assertThat(evaluateNothing(feed, camel)).isEmpty();
            assertThat(evaluate(feed, record(camel, routes, 0, batch(true)))).isEmpty();

            Files.writeString(folder.resolve("next.json"), VRPS.formatted(64500));
            Files.move(folder.resolve("next.json"), vrps, StandardCopyOption.REPLACE_EXISTING);
            List<Message> changes = new ArrayList<>();
            await().until(() -> {
                changes.addAll(evaluateNothing(feed, camel));
                return !changes.isEmpty();
            });
            JsonNode opened =
                    CaptureFiles.parse(new String(changes.getFirst().getBody(byte[].class), StandardCharsets.UTF_8));
            assertThat(opened.path("event").asText() + " " + opened.path("rule").asText())
                    .isEqualTo("opened rpki-invalid");
            await().untilAsserted(() -> assertThat(TestPostgres.query(
                            database,
                            "SELECT to_char(used_from AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                                    + " FROM bmp.vrp_version ORDER BY used_from DESC LIMIT 1"))
                    .containsExactly(opened.path("opened_at").asText()));
            feed.stop();
        }
    }

    @Test
    void alertThatTheCurrentStateDoesNotConfirmIsClosedOnce() throws Exception {
        var config = config("192.0.2.0/24: {asn: 64500}\n", "silkroute.topic.alerts.name", "alert-feed-alerts");
        createTopics("alert-feed", "alert-feed-alerts");
        store(OPEN);
        store(OPEN.replace("0123456789abcdef", "another").replace("T10:00:00", "T10:00:01"));
        assertThat(state()).isEqualTo("open 1");

        AlertFeed feed = feed(config);
        try (var camel = new DefaultCamelContext()) {
            assertThat(evaluateNothing(feed, camel)).isEmpty(); // not loaded yet
            assertThat(feed.nextOffset(new TopicPartition("alert-feed", 0))).isEmpty();
            List<Message> changes = evaluateNothing(feed, camel);
            assertThat(changes).hasSize(1);
            String record = new String(changes.getFirst().getBody(byte[].class), StandardCharsets.UTF_8);
            assertThat(record).contains("\"event\":\"closed\"", "\"opened_at\":\"2026-11-25T10:00:00.000000Z\"");
            store(record);
            assertThat(state()).isEqualTo("closed 1");
            assertThat(evaluateNothing(feed, camel)).isEmpty();
            store(OPEN); // reported again by another station
            assertThat(state()).isEqualTo("closed 1");
        } finally {
            feed.stop();
        }
    }

    /** Stations that end without a word after sending, one after the other. */
    @Test
    void changesThatOnlyTheTopicContainsAreNotReportedAgain() throws Exception {
        String routes = "alert-kill-routes";
        String alerts = "alert-kill-alerts";
        var config = config(
                "192.0.2.0/24: {asn: 64500}\n",
                "silkroute.topic.alerts.name",
                alerts,
                "silkroute.alerts.min-vantage-points",
                "1");
        createTopics(routes, alerts);
        List<byte[]> batches = new ArrayList<>();
        assertThat(run(config, routes, alerts, batches)).isEmpty();
        batches.add(batch(true));
        assertThat(run(config, routes, alerts, batches)).containsExactly("opened");
        assertThat(run(config, routes, alerts, batches)).isEmpty();
        store(newest(alerts)); // by a lane that has not stored its offset
        assertThat(run(config, routes, alerts, batches)).isEmpty();
        batches.add(batch(false));
        assertThat(run(config, routes, alerts, batches)).containsExactly("closed");
        assertThat(run(config, routes, alerts, batches)).isEmpty();
        List<JsonNode> records = records(alerts);
        assertThat(records.stream().map(record -> record.path("event").asText()))
                .containsExactly("opened", "closed");
        assertThat(records.getFirst().path("id")).isEqualTo(records.getLast().path("id"));
    }

    private static byte[] batch(boolean announced) {
        BatchFeed batch = new BatchFeed().begin("c1", "r1", 1, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        PeerEntry peer = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
        byte[] nlri = BatchFeed.ipv4(0xC000_0200, 24);
        return (announced
                        ? batch.announce(peer, Family.IPV4_UNICAST, null, nlri, BatchFeed.attributes(64666, 1))
                        : batch.withdraw(peer, Family.IPV4_UNICAST, null, nlri))
                .build()
                .bytes();
    }

    /**
     * Evaluates records from the beginning, the last of which is new, and sends the changes. Returns their events.
     *
     * @param batches the records; what the topic lacks of them is sent after loading
     */
    private List<String> run(StationConfig config, String routes, String alerts, List<byte[]> batches)
            throws Exception {
        AlertFeed feed = feed(config);
        try (var camel = new DefaultCamelContext();
                var producer = new KafkaProducer<>(
                        KAFKA.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<byte[]> loaded = new ArrayList<>();
            TopicReader.read(KAFKA.bootstrap(), routes, record -> loaded.add(record.value()));
            assertThat(feed.nextOffset(new TopicPartition(routes, 0))).isEmpty();
            List<Message> changes = new ArrayList<>(evaluateNothing(feed, camel));
            for (int offset = 0; offset < batches.size(); offset++) {
                if (offset >= loaded.size()) {
                    producer.send(new ProducerRecord<>(routes, batches.get(offset)))
                            .get();
                }
                changes.addAll(evaluate(feed, record(camel, routes, offset, batches.get(offset))));
            }
            for (Message change : changes) {
                producer.send(new ProducerRecord<>(alerts, change.getBody(byte[].class)))
                        .get();
            }
            return changes.stream()
                    .map(change -> CaptureFiles.parse(new String(change.getBody(byte[].class), StandardCharsets.UTF_8)))
                    .map(record -> record.path("event").asText())
                    .toList();
        } finally {
            feed.stop();
        }
    }

    private static Exchange record(DefaultCamelContext camel, String topic, long offset, byte[] value) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setHeader(KafkaConstants.TOPIC, topic);
        exchange.getMessage().setHeader(KafkaConstants.PARTITION, 0);
        exchange.getMessage().setHeader(KafkaConstants.OFFSET, offset);
        exchange.getMessage().setBody(value);
        return exchange;
    }

    private static List<JsonNode> records(String topic) {
        List<JsonNode> records = new ArrayList<>();
        TopicReader.read(
                KAFKA.bootstrap(),
                topic,
                record -> records.add(CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8))));
        return records;
    }

    private static String newest(String topic) {
        return records(topic).getLast().toString();
    }

    @Test
    void undecodableMessagesInTheDatabaseCount() throws Exception {
        String topic = "alert-feed-quarantine";
        var config = config(
                "options: {monitorQuarantine: [{router: damaged, peer: '*', max: 1, within: 1m}]}\n",
                "silkroute.topic.quarantine.name",
                topic,
                "silkroute.topic.alerts.name",
                "alert-feed-quarantine-alerts");
        createTopics(topic, "alert-feed-quarantine-alerts");
        call("apply_quarantine", UNDECODABLE.formatted(1, "10:00:00.000001"));
        call("apply_quarantine", UNDECODABLE.formatted(2, "10:00:59"));

        AlertFeed feed = feed(config);
        try (var camel = new DefaultCamelContext()) {
            assertThat(feed.nextOffset(new TopicPartition(topic, 0))).isEmpty();
            List<String> changes = evaluateNothing(feed, camel).stream()
                    .map(change -> new String(change.getBody(byte[].class), StandardCharsets.UTF_8))
                    .toList();
            assertThat(changes).hasSize(2);
            assertThat(changes.getFirst())
                    .contains(
                            "\"event\":\"opened\"",
                            "\"key\":\"peer 2001:db8::1 AS64500 of damaged quarantine-growth\"",
                            "\"opened_at\":\"2024-11-25T10:00:59.000000Z\"",
                            "\"received_at\":\"2024-11-25T10:00:00.000001Z\",\"session_id\":7,\"sequence\":1");
            assertThat(changes.getLast())
                    .contains("\"event\":\"closed\"", "\"changed_at\":\"2024-11-25T10:02:00.000000Z\"");
            assertThat(evaluateNothing(feed, camel)).isEmpty();
        } finally {
            feed.stop();
        }
    }

    private static List<Message> evaluateNothing(AlertFeed feed, DefaultCamelContext camel) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setBody(List.of()); // as from a lane that is idle
        return evaluate(feed, exchange);
    }

    private static List<Message> evaluate(AlertFeed feed, Exchange exchange) {
        feed.evaluate(exchange);
        List<?> body = exchange.getMessage().getBody(List.class);
        return body.stream().map(Message.class::cast).toList();
    }

    private void store(String record) throws SQLException {
        call("apply_alerts", record);
    }

    private void call(String function, String record) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement apply =
                        connection.prepareStatement("SELECT bmp." + function + "(jsonb_build_array(?::jsonb))")) {
            apply.setString(1, record);
            apply.executeQuery().close();
        }
    }

    private String state() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement query =
                        connection.prepareStatement("SELECT min(state) || ' ' || count(*) FROM bmp.v_alerts");
                ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getString(1);
        }
    }
}
