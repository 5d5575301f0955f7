package dev.silkroute.perf.incidents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The records of {@code bmp.alerts} with the times at which a consumer had them. */
final class AlertLog implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @param arrivedNanos by {@link System#nanoTime} */
    record Change(long arrivedNanos, JsonNode alert) {
        boolean is(String event, Incident incident) {
            return alert.path("event").asText().equals(event)
                    && alert.path("rule").asText().equals(incident.kind().rule())
                    && alert.path("prefix").asText().equals(incident.prefix().toString());
        }
    }

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Void> reading;
    private final List<Change> changes = new ArrayList<>();
    private volatile boolean stopping;

    AlertLog(String bootstrap) {
        reading = thread.submit(() -> read(bootstrap));
    }

    private Void read(String bootstrap) throws IOException {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.GROUP_ID_CONFIG,
                "incidents",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                20);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("bmp.alerts"));
            while (!stopping) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    add(new Change(System.nanoTime(), JSON.readTree(message.value())));
                }
            }
        }
        return null;
    }

    private synchronized void add(Change change) {
        changes.add(change);
    }

    synchronized List<Change> changes() {
        return List.copyOf(changes);
    }

    /** Ends reading, and fails if it has failed. */
    void stop() throws ExecutionException, InterruptedException {
        stopping = true;
        reading.get();
    }

    @Override
    public void close() {
        stopping = true;
        thread.shutdown();
    }
}
