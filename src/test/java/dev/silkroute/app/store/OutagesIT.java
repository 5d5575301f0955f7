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
 * Servers and writers that go away under load, as long as {@code silkroute.test.outage-seconds} and as often as
 * {@code silkroute.test.kills} say: afterwards each event is there once.
 */
class OutagesIT extends LaneHarness {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("silkroute.test.outage-seconds", 5));
    private static final int KILLS = Integer.getInteger("silkroute.test.kills", 3);

    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean enough;

    /** Sends to every partition until it is told that it is enough, and gives up nothing. */
    private FutureTask<Void> load() {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
        FutureTask<Void> load = new FutureTask<>(() -> {
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
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
        long before = stored();
        await().atMost(120, SECONDS).ignoreExceptions().until(() -> stored() > before + 2L * PARTITIONS);
    }

    private static void whileItIsAway() {
        await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(10)).until(() -> true);
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
            whileItIsAway();
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
            whileItIsAway();
        } finally {
            TestPostgres.restart();
        }
        awaitProgress();
        assertEachOnce(load);
        assertThat(meters.get("pgcopy.retries").functionCounters().stream()
                        .mapToDouble(counter -> counter.count())
                        .sum())
                .isBetween(1.0, 12.0 * OUTAGE.toSeconds() + 60); // it was tried again, and not hotly
    }

    @Test
    void aKilledKafkaLosesAndRepeatsNothing() throws Exception {
        FutureTask<Void> load = load();
        start("history.camel.yaml", "current.camel.yaml");
        awaitProgress();
        TestKafka.crash();
        try {
            whileItIsAway();
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
            await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
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
                await().pollDelay(Duration.ofMillis(random.nextInt(1000))).until(() -> true);
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
