package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends a table of a quarter of a million prefixes at full speed and in single bytes, and its first third from eight
 * routers at once while Kafka is suspended. Nothing may be lost, memory must stay within its bounds, and the station
 * must not close any session.
 */
class LargeTableIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** Longer than a producer waits for a reply. */
    private static final Duration KAFKA_AWAY = Duration.ofSeconds(12);

    private static final int ANSWER_MILLIS = 8000;
    private static final int ROUTERS = 8;

    /** The collector's bound, a fifth of what the eight routers still have to send, plus one batch of each session. */
    private static final int HELD_LIMIT = 4_194_304;

    private static final double HELD_BYTES = HELD_LIMIT * 1.05 + ROUTERS * 5e5;

    private static final String RECORDED_NAME = "gobgp-1";
    private static final byte[] STREAM =
            Arrays.copyOf(CaptureFiles.stream("large-gobgp"), CaptureFiles.mark("large-gobgp"));

    /** The announcements and withdrawals of the stream and the routes at its end, counted by another decoder. */
    private static final long EVENTS = 281_250;

    private static final long ROUTES = 243_750;

    /**
     * What each of the eight routers sends: the first 20,000 messages of the stream, whose announcements all have
     * different prefixes.
     */
    private static final int PART_BYTES = 3_031_496;

    private static final long PART_EVENTS = 90_419;

    /** What each of the eight routers has sent when Kafka is suspended; the rest exceeds their socket buffers. */
    private static final int BEFORE_BYTES = 300_000;

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.start(
                Map.of(
                        "SILKROUTE_SESSIONS_MAX_HELD_BYTES",
                        Integer.toString(HELD_LIMIT),
                        "SILKROUTE_SESSION_MAX_HELD_BYTES",
                        "1048576",
                        "SILKROUTE_SESSION_BATCH_BYTES",
                        "262144",
                        "SILKROUTE_JAVA_OPTS",
                        "-Dcamel.component.kafka.request-timeout-ms=" + ANSWER_MILLIS),
                folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    @Test
    void givenALargeTableWhenItComesAtFullSpeedThenEveryRouteIsInHistoryAndCurrentState() throws Exception {
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            long begun = System.nanoTime();
            router.send(named("large-1"));
            awaitTables("large-1", 1, EVENTS, ROUTES);
            System.out.printf(
                    "First byte to last durable row, %d events: %.1f s%n", EVENTS, (System.nanoTime() - begun) / 1e9);
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    void givenALargeTableWhenItComesInSingleBytesThenTheResultIsTheSame() throws Exception {
        byte[] stream = named("bytes-1");
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(stream, 0, 300_000, 1);
            router.send(stream, 300_000, 8_600_000, 65_536);
            router.send(stream, 8_600_000, 8_850_000, 1); // IPv6, statistics, withdrawals
            router.send(stream, 8_850_000, stream.length, 65_536);
            awaitTables("bytes-1", 1, EVENTS, ROUTES);
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    void givenEightRoutersWhenKafkaIsSuspendedMeanwhileThenNothingIsLost() throws Exception {
        ProcessHandle kafka = station.kafka().orElseThrow();
        List<TestRouter> routers = new ArrayList<>();
        CountDownLatch goOn = new CountDownLatch(1);
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < ROUTERS; i++) {
                TestRouter router = TestRouter.connectWithBuffer(station.bmpPort(), 65_536);
                routers.add(router);
                byte[] stream = Arrays.copyOf(named("many-%02d".formatted(i)), PART_BYTES);
                sent.add(senders.submit(() -> {
                    router.send(stream, 0, BEFORE_BYTES, 65_536);
                    goOn.await();
                    router.send(stream, BEFORE_BYTES, stream.length, 65_536);
                    return null;
                }));
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.sql("SELECT name FROM bmp.router WHERE name LIKE 'many-%'"))
                            .hasSize(ROUTERS));
            signal(kafka, "STOP");
            goOn.countDown();
            double most = highest("bmp_held_bytes", KAFKA_AWAY);
            boolean someoneWaits = sent.stream().anyMatch(future -> !future.isDone());
            signal(kafka, "CONT");
            assertThat(most).isGreaterThan(HELD_LIMIT).isLessThan(HELD_BYTES);
            assertThat(someoneWaits).isTrue();
            for (Future<?> future : sent) {
                future.get();
            }
            awaitTables("many-", ROUTERS, PART_EVENTS, PART_EVENTS);
            for (TestRouter router : routers) {
                assertThat(router.closedByStation()).isFalse();
            }
        } finally {
            signal(kafka, "CONT");
            goOn.countDown();
            for (TestRouter router : routers) {
                router.close();
            }
        }
    }

    /** Returns the stream with another sysName of the same length. */
    private static byte[] named(String sysName) {
        byte[] stream = STREAM.clone();
        String start = new String(stream, 0, 64, US_ASCII);
        byte[] name = sysName.getBytes(US_ASCII);
        assertThat(name).hasSize(RECORDED_NAME.length());
        System.arraycopy(name, 0, stream, start.indexOf(RECORDED_NAME), name.length);
        return stream;
    }

    /**
     * Waits for all events and routes. Polls rarely, because these queries slow the database down. No event may be
     * missing, and duplicates must have the same session and sequence.
     */
    private static void awaitTables(String names, int routers, long eventsEach, long routesEach) {
        Duration pause = Duration.ofMillis(routers == 1 ? 500 : 2000);
        String peers =
                " FROM bmp.%s t JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id) WHERE r.name LIKE '"
                        + names + "%%' GROUP BY r.name";
        String events = "SELECT count(*)" + peers.formatted("route_event");
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(() -> assertThat(station.sql(events))
                        .hasSize(routers)
                        .allSatisfy(count -> assertThat(Long.parseLong(count)).isGreaterThanOrEqualTo(eventsEach)));
        String routes = "SELECT count(*)" + peers.formatted("rib_route");
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(
                        () -> assertThat(station.sql(routes)).hasSize(routers).containsOnly(Long.toString(routesEach)));
        String where = " WHERE router LIKE '" + names + "%'";
        String distinct = "SELECT count(DISTINCT (session_id, sequence)) FROM bmp.v_route_history" + where;
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(
                        () -> assertThat(station.sql(distinct)).containsExactly(Long.toString(routers * eventsEach)));
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql("SELECT count(*) FROM bmp.v_rib" + where + " AND NOT stale"))
                                .containsExactly(Long.toString(routers * routesEach)));
    }

    private static double highest(String meter, Duration during) {
        double[] most = {0};
        long end = System.nanoTime() + during.toNanos();
        await().atMost(during.plusSeconds(30))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> {
                    most[0] = Math.max(most[0], station.meter(meter).orElseThrow());
                    return System.nanoTime() >= end;
                });
        return most[0];
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
