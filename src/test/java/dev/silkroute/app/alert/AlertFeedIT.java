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

    private static List<Message> evaluateNothing(AlertFeed feed, DefaultCamelContext camel) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setBody(List.of()); // as from a lane that is idle
        feed.evaluate(exchange);
        List<?> body = exchange.getMessage().getBody(List.class);
        return body.stream().map(Message.class::cast).toList();
    }

    private void store(String record) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement apply =
                        connection.prepareStatement("SELECT bmp.apply_alerts(jsonb_build_array(?::jsonb))")) {
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
