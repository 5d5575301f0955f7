package dev.silkroute.app.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Tests that each event is stored exactly once although servers and writers fail under load. An outage lasts until it
 * has had its effect. {@code silkroute.test.kills} sets the number of killed writers.
 */
class OutagesIT extends LaneHarness {
    /** Records that are sent to each partition while none can be stored. */
    private static final int BACKLOG = 200;

    /** Attempts of the writers, between which they wait longer each time. */
    private static final int RETRIES = 6;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int KILLS = Integer.getInteger("silkroute.test.kills", 3);

    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean enough;
    private volatile KafkaProducer<byte[], byte[]> loader;

    /** Sends to every partition until it is stopped, and drops nothing. */
    private FutureTask<Void> load() {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
        FutureTask<Void> load = new FutureTask<>(() -> {
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                loader = producer;
                while (!enough && sent.get() < 60_000) { // the prefixes of 10.0.0.0/8
                    List<Future<RecordMetadata>> batch = new ArrayList<>();
                    int i = sent.getAndIncrement();
                    for (int partition = 0; partition < PARTITIONS; partition++) {
                        batch.add(producer.send(
                                new ProducerRecord<>("bmp.routes" + suffix, partition, null, batch(partition, i))));
                    }
                    for (Future<RecordMetadata> future : batch) {
                        future.get();
                    }
                }
                return null;
            }
        });
        Thread.ofPlatform().daemon().name("load").start(load);
        return load;
    }

    private long stored() {
        try {
            return Long.parseLong(query("SELECT coalesce(sum(next_offset), 0) FROM bmp.lane_offset")
                    .getFirst());
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitProgress() {
        awaitProgress(2);
    }

    /** Waits until each partition has progressed by more than this number of records on average. */
    private void awaitProgress(int records) {
        long before = stored();
        await().pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> stored() > before + (long) records * PARTITIONS);
    }

    private FutureTask<Void> startUnderLoad() throws Exception {
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        return load;
    }

    private void awaitBacklog() {
        int before = sent.get();
        await().atMost(LIMIT).until(() -> sent.get() > before + BACKLOG);
    }

    /** Returns the number of connections that the load has to Kafka. */
    private double connectionsToKafka() {
        return loader.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("connection-count")
                        && metric.getKey().group().equals("producer-metrics"))
                .mapToDouble(metric -> (double) metric.getValue().metricValue())
                .sum();
    }

    private double retries() {
        return meters.get("silkroute.pgcopy.retries").functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private void assertEachOnce(FutureTask<Void> load) throws Exception {
        enough = true;
        load.get(120, SECONDS);
        int events = sent.get();
        awaitPlace("history", events);
        awaitPlace("current", events);
        String all = String.valueOf(events * PARTITIONS);
        assertThat(query("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history"))
                .containsExactly(all + "|" + all);
        assertThat(query("SELECT count(*), count(med) FROM bmp.v_rib")).containsExactly(all + "|" + all);
    }

    @Test
    void aSilentDatabaseLosesAndRepeatsNothing() throws Exception {
        FutureTask<Void> load = startUnderLoad();
        TestPostgres.freeze();
        try {
            awaitBacklog();
        } finally {
            TestPostgres.thaw();
        }
        awaitProgress();
        assertEachOnce(load);
    }

    @Test
    void aKilledDatabaseLosesAndRepeatsNothing() throws Exception {
        FutureTask<Void> load = startUnderLoad();
        long before = System.nanoTime();
        TestPostgres.crash();
        try {
            await().atMost(LIMIT).until(() -> retries() >= RETRIES);
        } finally {
            TestPostgres.restart();
        }
        awaitProgress();
        // The writers retried with a back-off, not in a loop
        double seconds = (System.nanoTime() - before) / 1e9;
        assertThat(retries()).isLessThan(12 * seconds + 60);
        assertEachOnce(load);
    }

    @Test
    void aKilledKafkaLosesAndRepeatsNothing() throws Exception {
        FutureTask<Void> load = startUnderLoad();
        TestKafka.crash();
        try {
            await().atMost(LIMIT).until(() -> connectionsToKafka() == 0);
        } finally {
            TestKafka.restart();
        }
        awaitProgress();
        assertEachOnce(load);
    }

    /** As after a power failure: acknowledged records are lost, and others have its offsets before any lane looks. */
    @Test
    void whatComesInThePlaceOfLostRecordsIsStored() throws Exception {
        sendRoutes(0, 20);
        start("history.camel.yaml", "current.camel.yaml");
        awaitPlace("history", 20);
        awaitPlace("current", 20);
        context.stop();
        TestKafka.crash();
        TestKafka.lose("bmp.routes" + suffix, 1);
        TestKafka.restart();
        byte[][] others = new byte[20][];
        for (int i = 0; i < others.length; i++) {
            others[i] = batch(1, 100 + i);
        }
        send("bmp.routes", 1, others); // beyond where the lanes stand
        start("history.camel.yaml", "current.camel.yaml");
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "100|100");
        awaitAnswer("SELECT count(*) FROM bmp.v_rib", "100");
    }

    @Test
    void whileTheDatabaseIsSilentAStopIsClean() throws Exception {
        FutureTask<Void> load = startUnderLoad();
        TestPostgres.freeze();
        try {
            awaitBacklog();
            assertThat(CompletableFuture.runAsync(context::stop)).succeedsWithin(LIMIT);
        } finally {
            TestPostgres.thaw();
        }
        start("history.camel.yaml", "current.camel.yaml");
        assertEachOnce(load);
    }

    @Test
    void whileKafkaIsUnavailableAStopIsClean() throws Exception {
        FutureTask<Void> load = startUnderLoad();
        TestKafka.crash();
        try {
            assertThat(CompletableFuture.runAsync(context::stop)).succeedsWithin(LIMIT);
        } finally {
            TestKafka.restart();
        }
        start("history.camel.yaml", "current.camel.yaml");
        assertEachOnce(load);
    }

    /** Writers in processes of their own join, and are killed at whatever they are just doing. */
    @Test
    void killedWritersLoseAndRepeatNothing() throws Exception {
        Random random = new Random(7);
        FutureTask<Void> load = load();
        List<Process> writers = new ArrayList<>();
        try {
            writers.add(writer());
            awaitProgress();
            for (int kill = 0; kill < KILLS; kill++) {
                writers.add(writer());
                awaitProgress();
                awaitProgress(random.nextInt(20));
                writers.remove(random.nextInt(writers.size())).destroyForcibly().waitFor();
                awaitProgress();
            }
            assertEachOnce(load);
        } finally {
            writers.forEach(Process::destroyForcibly);
        }
    }

    private Process writer() throws Exception {
        return LaneProcess.start(
                suffix, TestKafka.bootstrap(), TestPostgres.url(database), "history.camel.yaml", "current.camel.yaml");
    }
}
