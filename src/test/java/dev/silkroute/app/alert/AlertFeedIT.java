package dev.silkroute.app.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
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

    private final DataSource database = TestPostgres.database();

    @Test
    void alertThatTheCurrentStateDoesNotConfirmIsClosedOnce(@TempDir Path folder) throws Exception {
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), "192.0.2.0/24: {asn: 64500}\n");
        var config = Configuration.of(
                        Map.of("silkroute.routes.alerts.enabled", "true", "silkroute.alerts.rules", rules.toString()),
                        Map.of(),
                        Map.of())
                .station();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic("alert-feed", 1, (short) 1)))
                    .all()
                    .get();
        }
        store(OPEN);
        store(OPEN.replace("0123456789abcdef", "another").replace("T10:00:00", "T10:00:01"));
        assertThat(state()).isEqualTo("open 1");

        var evaluator = new AlertEvaluator(config, database, new OriginValidation(config), new SimpleMeterRegistry());
        AlertFeed feed = new AlertFeed(config, evaluator, database, new KafkaAccess(TestKafka.bootstrap(), Map.of()));
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

    @Test
    void undecodableMessagesInTheDatabaseCount(@TempDir Path folder) throws Exception {
        Path rules = Files.writeString(
                folder.resolve("prefixes.yml"),
                "options: {monitorQuarantine: [{router: damaged, peer: '*', max: 1, within: 1m}]}\n");
        String topic = "alert-feed-quarantine";
        var config = Configuration.of(
                        Map.of(
                                "silkroute.routes.alerts.enabled",
                                "true",
                                "silkroute.alerts.rules",
                                rules.toString(),
                                "silkroute.topic.quarantine.name",
                                topic),
                        Map.of(),
                        Map.of())
                .station();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        call("apply_quarantine", UNDECODABLE.formatted(1, "10:00:00.000001"));
        call("apply_quarantine", UNDECODABLE.formatted(2, "10:00:59"));

        var evaluator = new AlertEvaluator(config, database, new OriginValidation(config), new SimpleMeterRegistry());
        AlertFeed feed = new AlertFeed(config, evaluator, database, new KafkaAccess(TestKafka.bootstrap(), Map.of()));
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
