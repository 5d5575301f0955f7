package dev.silkroute.app.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.alert.record.AlertEvent;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.component.lane.TopicInspector;
import dev.silkroute.component.lane.TopicState;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LaneSnapshot;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;

/**
 * The alerts that are open according to {@code bmp.alerts}: those in the database, changed by the records that the lane
 * {@code store-alerts} has not stored yet. A station that continues with them reports no change twice, whenever the one
 * before it has ended.
 */
@Singleton
final class PublishedAlerts {
    private static final Logger LOGGER = Logger.getLogger(PublishedAlerts.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LANE = "store-alerts";
    private static final String OPEN = "SELECT record::text FROM bmp.alert WHERE closed_at IS NULL ORDER BY alert_key";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final DataSource database;
    private final KafkaAccess kafka;
    private final String topic;

    @Inject
    PublishedAlerts(StationConfig config, DataSource database, KafkaAccess kafka) {
        this.database = database;
        this.kafka = kafka;
        topic = StationTopic.ALERTS.name(config);
    }

    /**
     * Returns the newest record of each open alert, in the order of their keys.
     *
     * @throws ExecutionException if Kafka is unavailable; the message has the reason
     */
    Collection<JsonNode> open() throws SQLException, ExecutionException {
        TreeMap<String, JsonNode> open = new TreeMap<>();
        TopicInspector inspector = new TopicInspector(kafka.with(Map.of()));
        try (Connection connection = database.getConnection()) {
            Map<Integer, LaneOffset> stored = LaneSnapshot.read(
                    connection,
                    LANE,
                    inspector.find(topic).id(),
                    snapshot -> Sql.query(snapshot, OPEN, row -> apply(row.getString(1), open)));
            // Asked for afterwards, so that the records begin not later than the database ends
            read(inspector.find(topic), stored, open);
        } finally {
            inspector.close();
        }
        return open.values();
    }

    private void read(TopicState state, Map<Integer, LaneOffset> stored, Map<String, JsonNode> open)
            throws ExecutionException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                kafka.with(Map.of(
                        ConsumerConfig.CLIENT_ID_CONFIG,
                        "silkroute-open-alerts",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            for (Map.Entry<Integer, Long> end : state.ends().entrySet()) {
                TopicPartition partition = new TopicPartition(topic, end.getKey());
                long start = state.starts().getOrDefault(end.getKey(), 0L);
                LaneOffset offset = stored.get(end.getKey());
                consumer.assign(List.of(partition));
                consumer.seek(partition, offset == null ? start : Math.max(start, offset.next()));
                while (consumer.position(partition) < end.getValue()) {
                    consumer.poll(POLL).forEach(record -> {
                        if (record.value() != null) {
                            apply(new String(record.value(), StandardCharsets.UTF_8), open);
                        }
                    });
                    if (System.nanoTime() - deadline > 0) {
                        throw new TimeoutException(
                                partition + " was not read to its end in " + LIMIT.toSeconds() + " s");
                    }
                }
            }
        } catch (KafkaException e) {
            throw new ExecutionException("Kafka topic " + topic + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void apply(String text, Map<String, JsonNode> open) {
        try {
            JsonNode record = JSON.readTree(text);
            String key = record.path("key").asText();
            if (record.path("event").asText().equals(AlertEvent.CLOSED.text())) {
                open.remove(key);
            } else {
                open.put(key, record);
            }
        } catch (JsonProcessingException e) {
            LOGGER.warnf("A record of an alert is not valid and does not count: %s", e.getMessage());
        }
    }
}
