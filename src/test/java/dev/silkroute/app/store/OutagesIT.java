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
import java.util.concurrent.Callable;
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
 * Tests that each event is stored exactly once although servers and writers fail under load. {@code
 * silkroute.test.outage-seconds} sets the length of outages, {@code silkroute.test.kills} the number of killed writers.
 */
class OutagesIT extends LaneHarness {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("silkroute.test.outage-seconds", 5));
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
        await().atMost(120, SECONDS)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> stored() > before + (long) records * PARTITIONS);
    }

    /** Waits until the outage has lasted as long as it should, and has had its effect. */
    private static void awaitOutage(Callable<Boolean> effect) {
        long start = System.nanoTime();
        await().atMost(OUTAGE.plusSeconds(120))
                .until(() -> System.nanoTime() - start >= OUTAGE.toNanos() && effect.call());
    }

    /** Waits until records are sent to each partition, none of which can be stored while the database is away. */
    private void awaitBacklog() {
        int before = sent.get();
        awaitOutage(() -> sent.get() > before + 20);
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
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
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
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        TestPostgres.crash();
        try {
            awaitOutage(() -> retries() >= 1);
        } finally {
            TestPostgres.restart();
        }
        awaitProgress();
        assertEachOnce(load);
        // The writers retried, with a back-off.
        assertThat(retries()).isBetween(1.0, 12.0 * OUTAGE.toSeconds() + 60);
    }

    @Test
    void aKilledKafkaLosesAndRepeatsNothing() throws Exception {
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        TestKafka.crash();
        try {
            awaitOutage(() -> connectionsToKafka() == 0);
        } finally {
            TestKafka.restart();
        }
        awaitProgress();
        assertEachOnce(load);
    }

    /** As after a power failure: what was acknowledged is gone, and others have its offsets before any lane looks. */
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
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        TestPostgres.freeze();
        try {
            awaitBacklog();
            long before = System.nanoTime();
            context.stop();
            assertThat(System.nanoTime() - before).isLessThan(SECONDS.toNanos(28));
        } finally {
            TestPostgres.thaw();
        }
        start("history.camel.yaml", "current.camel.yaml");
        assertEachOnce(load);
    }

    @Test
    void whileKafkaIsAwayAStopIsClean() throws Exception {
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        TestKafka.crash();
        try {
            long before = System.nanoTime();
            context.stop();
            assertThat(System.nanoTime() - before).isLessThan(SECONDS.toNanos(28));
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
