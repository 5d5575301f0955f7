package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.postgres.JbmpHistory;
import dev.silkroute.perf.postgres.JbmpState;
import dev.silkroute.route.RouteBatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.postgresql.PGConnection;

/**
 * jBMP's way from Kafka to PostgreSQL, re-created in a process of its own: one listener copies every event into the
 * history and commits its offsets to Kafka after the database, another one projects the current state off that path.
 * Both read a topic to its present end. Prints the seconds that each took, the events, and the CPU seconds of the
 * process.
 */
public final class JbmpWriter {
    static final String SCHEMA = "jbmp";
    /** Events of a transaction, as of a poll of jBMP. */
    private static final int TRANSACTION_EVENTS = 10_000;

    private static final int POLL_RECORDS = 4;

    private final String url;
    private final String bootstrap;
    private final String topic;

    private JbmpWriter(String url, String bootstrap, String topic) {
        this.url = url;
        this.bootstrap = bootstrap;
        this.topic = topic;
    }

    /** Stores the records of a transaction. */
    @FunctionalInterface
    private interface Writer {
        void write(Connection connection, List<byte[]> records) throws SQLException, IOException;
    }

    private record Outcome(double seconds, long events) {}

    /** @param arguments the database's URL, Kafka's bootstrap servers, the topic */
    public static void main(String[] arguments) throws Exception {
        JbmpWriter writer = new JbmpWriter(arguments[0], arguments[1], arguments[2]);
        JbmpHistory history = new JbmpHistory();
        JbmpState state = new JbmpState();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Outcome> rows = threads.submit(() -> writer.run(
                    "jbmp-history",
                    (connection, records) -> connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyIn(JbmpHistory.COPY, new ByteArrayInputStream(history.encode(records)))));
            Future<Outcome> routes = threads.submit(() -> writer.run("jbmp-state", state::write));
            report(rows, routes);
        }
    }

    private static void report(Future<Outcome> rows, Future<Outcome> routes)
            throws ExecutionException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%f %f %d %f%n",
                rows.get().seconds,
                routes.get().seconds,
                rows.get().events,
                ProcessHandle.current()
                                .info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toMillis()
                        / 1e3);
    }

    private Outcome run(String group, Writer writer) throws SQLException, IOException {
        long start = System.nanoTime();
        long events = 0;
        try (Connection connection = DriverManager.getConnection(url + "&reWriteBatchedInserts=true");
                KafkaConsumer<byte[], byte[]> consumer = consumer(group)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET search_path = " + SCHEMA);
            }
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<byte[]> records = new ArrayList<>();
            int gathered = 0;
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    if (record.offset() < ends.getOrDefault(new TopicPartition(topic, record.partition()), 0L)) {
                        records.add(record.value());
                        gathered += RouteBatch.peekEventCount(record.value());
                    }
                }
                if (gathered >= TRANSACTION_EVENTS) {
                    writer.write(connection, records);
                    consumer.commitSync();
                    records.clear();
                    events += gathered;
                    gathered = 0;
                }
            }
            writer.write(connection, records);
            consumer.commitSync();
            return new Outcome((System.nanoTime() - start) / 1e9, events + gathered);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        POLL_RECORDS,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
