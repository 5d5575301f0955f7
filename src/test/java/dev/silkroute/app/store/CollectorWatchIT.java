package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TopicReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The packaged route that ends the sessions of unavailable collectors. */
class CollectorWatchIT extends LaneHarness {
    @Test
    void theSessionsOfACollectorThatIsGoneEndInTheTopicsOfBothLanes() throws Exception {
        // Given a collector with a connected router
        execute(
                "INSERT INTO bmp.collector (name, session_id, started_at, alive_session_id) VALUES ('c1', 5, now(), 5)");
        execute("INSERT INTO bmp.router (name, session_id, collector) VALUES ('r1', 9, 'c1')");
        execute(
                "INSERT INTO bmp.open_session (session_id, router_id, collector) SELECT session_id, router_id, collector"
                        + " FROM bmp.router");
        AtomicLong seconds = new AtomicLong();
        startWatch(seconds);
        ProducerTemplate timer = context.createProducerTemplate();

        // When it does not report for longer than the timeout
        for (int i = 0; i < 6; i++) {
            assertThat(keys("bmp.routes")).isEmpty();
            timer.sendBody("direct:watch", "");
            seconds.addAndGet(25);
        }

        // Then each topic has a record with its name as the key
        assertThat(keys("bmp.routes")).containsExactly("c1");
        assertThat(keys("bmp.peers")).containsExactly("c1");
    }

    private void startWatch(AtomicLong seconds) throws Exception {
        context = station(database, "error-handling.camel.yaml", "recovery.camel.yaml");
        context.getComponent("kafka", KafkaComponent.class)
                .getConfiguration()
                .setValueSerializer(ByteArraySerializer.class.getName());
        context.getRegistry().bind("resyncRequests", new ResyncRequests(() -> 0));
        context.getRegistry()
                .bind(
                        "collectorWatch",
                        new CollectorWatch(
                                context,
                                Duration.ofMinutes(2),
                                () -> true,
                                () -> TimeUnit.SECONDS.toNanos(seconds.get())));
        AdviceWith.adviceWith(context, "collector-watch", route -> route.replaceFromWith("direct:watch"));
        context.start();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> keys(String topic) {
        List<String> keys = new ArrayList<>();
        TopicReader.read(
                TestKafka.bootstrap(),
                topic + suffix,
                record -> keys.add(new String(record.key(), StandardCharsets.UTF_8)));
        return keys;
    }
}
