package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.StationProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table of a quarter of a million prefixes: at full speed, in single bytes, and from eight routers at once with Kafka
 * standing still in the middle. Nothing is lost, memory stays within its bounds, no session is closed by the station.
 */
class LargeTableIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration KAFKA_AWAY = Duration.ofSeconds(30);
    private static final int ROUTERS = 8;

    /** The collector's bound, and what one more batch of each session may add. */
    private static final String HELD_LIMIT = "16777216";

    private static final double HELD_BYTES = 16_777_216 * 1.05 + ROUTERS * 2e6;

    private static final String RECORDED_NAME = "gobgp-1";
    private static final byte[] STREAM =
            Arrays.copyOf(CaptureFiles.stream("large-gobgp"), CaptureFiles.mark("large-gobgp"));

    /** Announcements and withdrawals in the stream, and routes at its end: counted by another decoder. */
    private static final String EVENTS = "281250";

    private static final String ROUTES = "243750";

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.start(Map.of("SILKROUTE_SESSIONS_MAX_HELD_BYTES", HELD_LIMIT), folder.resolve("data"));
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
            awaitTables("large-1", 1);
            System.out.printf(
                    "First byte to last durable row, %s events: %.1f s%n", EVENTS, (System.nanoTime() - begun) / 1e9);
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    void givenALargeTableWhenItComesInSingleBytesThenItIsTheSame() throws Exception {
        byte[] stream = named("bytes-1");
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(stream, 0, stream.length, 1);
            awaitTables("bytes-1", 1);
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    void givenEightRoutersWhenKafkaStandsStillInTheMiddleThenNothingIsLost() throws Exception {
        ProcessHandle kafka = station.kafka().orElseThrow();
        List<TestRouter> routers = new ArrayList<>();
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < ROUTERS; i++) {
                TestRouter router = TestRouter.connect(station.bmpPort());
                routers.add(router);
                byte[] stream = named("many-%02d".formatted(i));
                sent.add(senders.submit(() -> {
                    router.send(stream);
                    return null;
                }));
            }
            await().atMost(LIMIT).until(() -> gauge("bmp_batches_total") > 100);
            signal(kafka, "STOP");
            double most = highest("bmp_held_bytes", KAFKA_AWAY);
            boolean someoneWaits = sent.stream().anyMatch(future -> !future.isDone());
            signal(kafka, "CONT");
            assertThat(most).isLessThan(HELD_BYTES);
            assertThat(someoneWaits).isTrue();
            for (Future<?> future : sent) {
                future.get();
            }
            awaitTables("many-", ROUTERS);
            for (TestRouter router : routers) {
                assertThat(router.closedByStation()).isFalse();
            }
        } finally {
            signal(kafka, "CONT");
            for (TestRouter router : routers) {
                router.close();
            }
        }
    }

    /** The stream as another router's: a sysName of the same length. */
    private static byte[] named(String sysName) {
        byte[] stream = STREAM.clone();
        String start = new String(stream, 0, 64, US_ASCII);
        byte[] name = sysName.getBytes(US_ASCII);
        assertThat(name).hasSize(RECORDED_NAME.length());
        System.arraycopy(name, 0, stream, start.indexOf(RECORDED_NAME), name.length);
        return stream;
    }

    /**
     * Waits for all events and routes; asked seldom, because such questions take the database's time from its work. Delivery
     * to history is at least once: none may be missing, and what came twice has the same session and sequence.
     */
    private static void awaitTables(String names, int routers) {
        Duration pause = Duration.ofMillis(routers == 1 ? 500 : 5000);
        String peers =
                " FROM bmp.%s t JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id) WHERE r.name LIKE '"
                        + names + "%%' GROUP BY r.name";
        String events = "SELECT count(*)" + peers.formatted("route_event");
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(() -> assertThat(station.sql(events))
                        .hasSize(routers)
                        .allSatisfy(count ->
                                assertThat(Long.parseLong(count)).isGreaterThanOrEqualTo(Long.parseLong(EVENTS))));
        String routes = "SELECT count(*)" + peers.formatted("rib_route");
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(
                        () -> assertThat(station.sql(routes)).hasSize(routers).containsOnly(ROUTES));
        String where = " WHERE router LIKE '" + names + "%'";
        String distinct = "SELECT count(DISTINCT (session_id, sequence)) FROM bmp.v_route_history" + where;
        await().atMost(LIMIT)
                .pollInterval(pause)
                .untilAsserted(() -> assertThat(station.sql(distinct))
                        .containsExactly(Long.toString(routers * Long.parseLong(EVENTS))));
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql("SELECT count(*) FROM bmp.v_rib" + where + " AND NOT stale"))
                                .containsExactly(Long.toString(routers * Long.parseLong(ROUTES))));
    }

    private static double highest(String meter, Duration during) {
        double[] most = {0};
        long end = System.nanoTime() + during.toNanos();
        await().atMost(during.plusSeconds(30))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> {
                    most[0] = Math.max(most[0], gauge(meter));
                    return System.nanoTime() >= end;
                });
        return most[0];
    }

    private static double gauge(String meter) {
        return station.get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(meter + " ") || line.startsWith(meter + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
