package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a station that is stopped or killed and restarted on the same data holds the router's table. */
class RestartIT {
    /** The minimum of Kafka, after which it assigns a killed station's partitions to the next one. */
    private static final Map<String, String> SETTINGS = Map.of("SILKROUTE_WRITER_SESSION_TIMEOUT", "6s");

    private static final byte[] STREAM = CaptureFiles.stream("frr-noap");
    private static final int MARK = CaptureFiles.mark("frr-noap");
    private static final String ROUTES =
            Integer.toString(CaptureFiles.state("frr-noap").size());
    private static final String COUNTS = "SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib";
    private static final String ROUTER = "SELECT state FROM bmp.v_routers";
    private static final String PEERS_UP = "SELECT count(*) FROM bmp.v_peers WHERE state = 'up'";

    @TempDir
    private Path folder;

    private static void awaitRows(StationProcess station, String query, String... rows) {
        await().untilAsserted(() -> assertThat(station.sql(query)).isEqualTo(List.of(rows)));
    }

    /** Sends the router's table in a new session and waits until it is stored. */
    private static TestRouter dump(StationProcess station) throws Exception {
        String before = station.sql("SELECT coalesce(max(session_id), 0) FROM bmp.v_routers")
                .getFirst();
        TestRouter router = TestRouter.connect(station.bmpPort());
        router.send(STREAM, 0, MARK, 65_536);
        awaitRows(station, "SELECT count(*) FROM bmp.v_routers WHERE session_id > " + before, "1");
        awaitRows(station, COUNTS, ROUTES + "|0");
        awaitRows(station, ROUTER, "connected");
        return router;
    }

    @Test
    void givenAnOpenSessionWhenTheStationStopsOrIsKilledThenItsRoutesAreStaleAndTheNextSessionRenewsThem()
            throws Exception {
        long ahead = System.currentTimeMillis() + Duration.ofMinutes(30).toMillis();
        StationProcess first = StationProcess.startOnSharedServers(SETTINGS, folder.resolve("data"));
        try (first;
                TestRouter router = dump(first)) {
            // When: it stops
            assertThat(first.stop()).isZero();
            assertThat(router.closedByStation()).isTrue();
        }
        try (StationProcess station = first.startAgain(SETTINGS)) {
            awaitStale(station);
            try (TestRouter router = dump(station)) {
                // When: it is killed, and its clock was ahead
                moveSessionTo(station, ahead);
                station.killHard();
            }
        }
        try (StationProcess station = first.startAgain(SETTINGS)) {
            // Then: the next one takes over its data and the router
            assertThat(station.sql("SELECT count(*) FROM bmp.v_rib")).containsExactly(ROUTES);
            awaitStale(station);
            dump(station).close();
            awaitRows(station, COUNTS, ROUTES + "|" + ROUTES);
            awaitRows(station, "SELECT session_id > " + ahead * 1000 + " FROM bmp.v_routers", "t");
        }
    }

    /** Changes the time of the last session events, as if the clock had been wrong. */
    private static void moveSessionTo(StationProcess station, long time) throws Exception {
        var last = station.records("bmp.peers").getLast();
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", station.kafkaBootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            last.topic(), last.partition(), time, last.key(), last.value(), last.headers()))
                    .get();
        }
    }

    private static void awaitStale(StationProcess station) {
        awaitRows(station, ROUTER, "disconnected");
        awaitRows(station, COUNTS, ROUTES + "|" + ROUTES);
        awaitRows(station, PEERS_UP, "0");
    }
}
