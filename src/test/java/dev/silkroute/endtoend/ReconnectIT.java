package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Tables;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Routers that connect again, with tables that have changed: one whose connection breaks in the middle of its table
 * dumps, one whose session the station ends because a record is missing, and all routers of two collectors at once.
 * Afterwards the station must hold the tables exactly, and history must contain the actual changes. {@code
 * silkroute.test.routers} sets the number of routers that connect again at once.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReconnectIT {
    private static final int CHANGES = 600;

    private static final int ROUTERS = Integer.getInteger("silkroute.test.routers", 200);

    /** Seconds that lead to the year 255537, which no table can have. */
    private static final long UNSTORABLE = 8_000_000_000_000L;

    private static final String FIRST = "first";

    /** The default number of partitions of {@code bmp.routes}. */
    private static final int PARTITIONS = 12;

    @TempDir
    private static Path folder;

    private static StationProcess station;

    private final ByteSink sink = new ByteSink();

    @BeforeAll
    static void start() {
        station = StationProcess.startOnSharedServers(Map.of("SILKROUTE_COLLECTOR", FIRST), folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    /** The first one, because the others leave routes. */
    @Test
    @Order(1)
    void givenATableThatChangesWhileTheConnectionIsDownWhenDumpsAreInterruptedThenTheResultIsTheTableExactly()
            throws Exception {
        LoadProfile profile = TestLoad.of(11, 2, 400)
                .families(Family.IPV4_UNICAST, Family.VPNV4, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_OUT_POST_POLICY, RibView.LOC_RIB)
                .paths(2)
                .changes(Long.MAX_VALUE)
                .profile();
        LoadRouter router = new LoadPlan(profile).router(0);
        long routes = profile.initialRoutes();
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            tables(router, connection);
            changes(router, connection);
            awaitTable(router);
        }
        brokenDump(router, routes / 3);
        brokenDump(router, routes * 2 / 3);
        changeWhileDisconnected(router);
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            tables(router, connection);
            awaitTable(router);
            try (Connection database = station.connect()) {
                await().untilAsserted(() -> assertThat(Tables.faultsOfHistory(database, List.of(router)))
                        .isEmpty());
            }
            assertThat(station.sql("SELECT DISTINCT event FROM bmp.v_route_history WHERE synthetic"))
                    .containsExactly("withdraw");
            assertThat(station.sql("SELECT count(*) FROM bmp.v_quarantine")).containsExactly("0");
        }
    }

    private void brokenDump(LoadRouter router, long routes) throws Exception {
        changeWhileDisconnected(router);
        long before = router.announced();
        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            while (router.announced() - before < routes) {
                step(router);
                connection.send(sink.toByteArray());
            }
        }
    }

    /** Changes the table while the router is not connected, then restarts its session. */
    private void changeWhileDisconnected(LoadRouter router) {
        while (!router.isChanging()) {
            step(router);
        }
        for (int i = 0; i < CHANGES; i++) {
            step(router);
        }
        router.restart();
    }

    private void tables(LoadRouter router, TestRouter connection) throws Exception {
        while (!router.isChanging()) {
            step(router);
            connection.send(sink.toByteArray());
        }
    }

    private void changes(LoadRouter router, TestRouter connection) throws Exception {
        for (int i = 0; i < CHANGES; i++) {
            step(router);
            connection.send(sink.toByteArray());
        }
    }

    private void step(LoadRouter router) {
        sink.reset();
        router.next(sink);
    }

    private static void awaitTable(LoadRouter router) throws Exception {
        try (Connection connection = station.connect()) {
            await().untilAsserted(() -> assertThat(Tables.faultsOfState(connection, List.of(router)))
                    .isEmpty());
        }
    }

    private static byte[] tables(String name, int... prefixes) {
        List<byte[]> messages =
                new ArrayList<>(List.of(TestMessages.initiation(name), TestMessages.peerUp("192.0.2.77")));
        IntStream.of(prefixes).mapToObj(TestMessages::route).forEach(messages::add);
        return TestMessages.join(messages.toArray(byte[][]::new));
    }

    private static byte[] endOfRib() {
        return TestMessages.monitoring(TestMessages.update(new byte[0], new byte[0], new byte[0]));
    }

    private static void awaitRows(String query, String... rows) {
        await().untilAsserted(() -> assertThat(station.sql(query)).containsExactly(rows));
    }

    @Test
    @Order(2)
    void givenARecordThatIsSetAsideThenItsRouterIsStaleUntilItHasSentItsTablesInTheSessionThatItIsAskedFor()
            throws Exception {
        String routes = "SELECT prefix, stale FROM bmp.v_rib WHERE router = 'lost' ORDER BY 1";
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(tables("lost", 1, 2));
            awaitRows(routes, "198.51.1.0/24|f", "198.51.2.0/24|f");
            String session = station.sql(
                            "SELECT s.session_id FROM bmp.live_session s JOIN bmp.router USING (router_id) WHERE name = 'lost'")
                    .getFirst();

            // When a record of its session cannot be stored
            try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", station.kafkaBootstrap()),
                    new StringSerializer(),
                    new ByteArraySerializer())) {
                byte[] record = TestBatch.of(FIRST, "lost", Long.parseLong(session), UNSTORABLE)
                        .withdraw("198.51.2.0/24")
                        .bytes();
                producer.send(new ProducerRecord<>("bmp.routes", "lost", record))
                        .get();
            }

            // Then the log names what is missing, and the session is ended
            await().until(router::closedByStation);
            awaitRows(routes, "198.51.1.0/24|t", "198.51.2.0/24|t");
            assertThat(station.log())
                    .containsPattern(
                            "Routes of router lost are missing in table bmp\\.rib_route: record bmp\\.routes-\\d+@\\d+\\S*"
                                    + " was set aside, 1 events of messages 0 to 0 of session " + session)
                    .contains("Records of router lost are missing, so its routes are stale: ending session " + session);
            await().until(() -> station.meter("bmp_sessions_ended_total", "reason=\"resync\"")
                            .orElse(0)
                    == 1);
        }
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(tables("lost", 1, 3));
            awaitRows(routes, "198.51.1.0/24|f", "198.51.2.0/24|t", "198.51.3.0/24|f");
            router.send(endOfRib());
            awaitRows(routes, "198.51.1.0/24|f", "198.51.3.0/24|f");
            assertThat(router.closedByStation()).isFalse();
        }
    }

    /** The second collector starts when the topic has more partitions, which the first one has not seen. */
    @Test
    @Order(3)
    void givenTwoCollectorsWhenAllRoutersConnectAgainAtOnceEachToTheOtherOneThenNothingIsMissing() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", station.kafkaBootstrap()))) {
            admin.createPartitions(Map.of("bmp.routes", NewPartitions.increaseTo(2 * PARTITIONS)))
                    .all()
                    .get();
        }
        try (StationProcess second = StationProcess.start(
                Map.of("SILKROUTE_COLLECTOR", "second", "SILKROUTE_ROLES", "collector"),
                folder.resolve("second"),
                "--kafka-bootstrap",
                station.kafkaBootstrap(),
                "--jdbc-url",
                station.jdbcUrl())) {
            int[] ports = {station.bmpPort(), second.bmpPort()};
            List<TestRouter> before = connectAll(number -> ports[number % 2], 1, 2, 3);
            awaitRows(
                    "SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib WHERE router LIKE 'many-%'",
                    3 * ROUTERS + "|0");

            // When
            for (TestRouter router : before) {
                router.close();
            }
            List<TestRouter> after = connectAll(number -> ports[(number + 1) % 2], 1, 2, 4);

            // Then
            awaitRows(
                    "SELECT prefix, stale, count(DISTINCT router) FROM bmp.v_rib WHERE router LIKE 'many-%' GROUP BY 1, 2"
                            + " ORDER BY 1",
                    "198.51.1.0/24|f|" + ROUTERS, "198.51.2.0/24|f|" + ROUTERS, "198.51.4.0/24|f|" + ROUTERS);
            awaitRows(
                    "SELECT prefix, event, synthetic, count(*), count(DISTINCT router) FROM bmp.v_route_history"
                            + " WHERE router LIKE 'many-%' GROUP BY 1, 2, 3 ORDER BY 1, 2",
                    "198.51.1.0/24|announce|f|%1$d|%1$d".formatted(ROUTERS),
                    "198.51.2.0/24|announce|f|%1$d|%1$d".formatted(ROUTERS),
                    "198.51.3.0/24|announce|f|%1$d|%1$d".formatted(ROUTERS),
                    "198.51.3.0/24|withdraw|t|%1$d|%1$d".formatted(ROUTERS),
                    "198.51.4.0/24|announce|f|%1$d|%1$d".formatted(ROUTERS));
            awaitRows(
                    "SELECT count(DISTINCT session_id) FROM bmp.v_peer_events WHERE router LIKE 'many-%' AND event ="
                            + " 'peer-up'",
                    Integer.toString(2 * ROUTERS));
            assertThat(second.log()).contains("only the first " + PARTITIONS + " receive records of routers");
            Map<String, Set<Integer>> partitions = station.records("bmp.routes").stream()
                    .collect(Collectors.groupingBy(
                            record -> new String(record.key(), StandardCharsets.UTF_8),
                            Collectors.mapping(ConsumerRecord::partition, Collectors.toSet())));
            assertThat(partitions).containsKey("many-0").hasSizeGreaterThan(ROUTERS);
            assertThat(partitions).allSatisfy((_, used) -> assertThat(used).hasSize(1));
            for (TestRouter router : after) {
                assertThat(router.closedByStation()).isFalse();
                router.close();
            }
        }
    }

    /** Connects all routers at once, each from its own address, and sends their tables. */
    private static List<TestRouter> connectAll(IntUnaryOperator portOfRouter, int... prefixes) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TestRouter>> routers = IntStream.range(0, ROUTERS)
                    .mapToObj(number -> threads.submit(() -> {
                        TestRouter router = TestRouter.connect(
                                portOfRouter.applyAsInt(number), "127.2." + number / 200 + "." + (1 + number % 200));
                        router.send(TestMessages.join(tables("many-" + number, prefixes), endOfRib()));
                        return router;
                    }))
                    .toList();
            List<TestRouter> connected = new ArrayList<>();
            for (Future<TestRouter> router : routers) {
                connected.add(router.get());
            }
            return connected;
        }
    }
}
