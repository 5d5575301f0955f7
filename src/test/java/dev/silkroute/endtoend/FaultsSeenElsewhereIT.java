package dev.silkroute.endtoend;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.route;
import static dev.silkroute.fixture.TestMessages.update;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.fixture.TestRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests behaviour that users of other collectors have complained about, with a whole station; see also
 * {@code FaultsSeenElsewhereTest}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsSeenElsewhereIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final byte[] NONE = {};
    private static final Map<String, String> SETTINGS = Map.of(
            "SILKROUTE_PARTIAL_MESSAGE_TIMEOUT", "2s",
            "SILKROUTE_SESSIONS_METRICS_INTERVAL", "1s",
            "SILKROUTE_PROXY_PROTOCOL_FROM", "127.0.0.64/26",
            "SILKROUTE_BMP_ALLOW", "127.0.0.1,198.51.100.0/24");
    private static final String DATABASE = TestPostgres.url(TestPostgres.database());

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.start(SETTINGS, folder.resolve("data"), "--jdbc-url", DATABASE);
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    private static TestRouter router(String name, byte[]... messages) throws Exception {
        TestRouter router = TestRouter.connect(station.bmpPort());
        router.send(join(initiation(name), peerUp("192.0.2.77"), join(messages)));
        return router;
    }

    private static void awaitRows(String query, String... rows) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(station.sql(query)).containsExactly(rows));
    }

    private static String rib(String router) {
        return "SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib WHERE router = '" + router + "'";
    }

    /** 250 UPDATEs of 40 routes each. */
    private static byte[] tenThousandRoutes() {
        List<byte[]> updates = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            byte[] nlri = new byte[40 * 4];
            for (int n = 0; n < 40; n++) {
                nlri[4 * n] = 24;
                nlri[4 * n + 1] = 10;
                nlri[4 * n + 2] = (byte) i;
                nlri[4 * n + 3] = (byte) n;
            }
            updates.add(monitoring(update(NONE, attributes(), nlri)));
        }
        return join(updates.toArray(byte[][]::new));
    }

    @Test
    @Order(1)
    void fault07RibKeyTooSmall() throws Exception {
        // Given one prefix in every view, of two peers at one address that differ by BGP ID, and in two VRFs
        byte[] update = update(NONE, attributes(), hex("18c63301"));
        List<byte[]> messages = new ArrayList<>();
        for (int flags : new int[] {0x00, 0x40, 0x10, 0x50}) {
            messages.add(bmp(0, peerHeader(0, flags, "192.0.2.77", 65_001, 0x0A00004D, 0), update));
        }
        messages.add(bmp(0, peerHeader(0, 0, "192.0.2.77", 65_001, 0x0A00004E, 0), update));
        messages.add(bmp(0, peerHeader(3, 0, "0.0.0.0", 65_001, 0x0A00004D, 0), update));
        for (int vrf = 1; vrf <= 2; vrf++) {
            byte[] header = peerHeader(1, 0, "192.0.2.77", 65_001, 0x0A00004D, 0);
            header[9] = (byte) vrf;
            messages.add(bmp(0, header, update));
        }
        // When, then
        try (TestRouter router = router("fault-07", messages.toArray(byte[][]::new))) {
            awaitRows(rib("fault-07"), "8|0");
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    @Order(2)
    void fault08RoutesLeftAfterPeerDown() throws Exception {
        try (TestRouter router = router("fault-08", route(1), route(2))) {
            awaitRows(rib("fault-08"), "2|0");
            router.send(bmp(2, peerHeader(), hex("04")));
            awaitRows(rib("fault-08"), "0|0");
        }
    }

    @Test
    @Order(3)
    void fault19EverythingDeletedAtTcpLoss() throws Exception {
        router("fault-19", route(1), route(2)).close();
        awaitRows(rib("fault-19"), "2|2");
        try (TestRouter router = router("fault-19", route(1))) {
            awaitRows(rib("fault-19"), "2|1");
            assertThat(router.closedByStation()).isFalse();
        }
    }

    @Test
    @Order(4)
    void fault11QuietSessionsClosed() throws Exception {
        // Given a station that waits two seconds for the rest of a message
        try (TestRouter quiet = router("fault-11", route(1));
                TestRouter stuck = router("fault-11-stuck", route(1))) {
            awaitRows(rib("fault-11"), "1|0");
            stuck.send(new byte[] {3, 0});
            // When a message has timed out
            await().atMost(LIMIT).until(stuck::closedByStation);
            await().atMost(LIMIT).until(() -> idleSeconds("fault-11") > 5);
            // Then a router that sends nothing is still accepted
            assertThat(quiet.closedByStation()).isFalse();
            quiet.send(route(2));
            awaitRows(rib("fault-11"), "2|0");
            assertThat(idleSeconds("fault-11")).isLessThan(5);
            // And its clock offset is reported: its messages are from 2023
            assertThat(station.meter("bmp_router_clock_skew_seconds", "router=\"fault-11\"")
                            .orElseThrow())
                    .isCloseTo(Instant.now().getEpochSecond() - 1_700_000_000, within(60.0));
        }
        // When the routers have disconnected, then their metrics are removed
        await().atMost(LIMIT)
                .until(() -> station.meter("bmp_session_idle_seconds", "router=\"fault-11")
                        .isEmpty());
    }

    private static double idleSeconds(String router) {
        return station.meter("bmp_session_idle_seconds", "router=\"" + router + "\"")
                .orElse(0);
    }

    /** Behind a load balancer, all connections would have such a header. */
    @Test
    @Order(5)
    void fault12IdentityIsTheSourceAddress() throws Exception {
        byte[] table = join(peerUp("192.0.2.77"), route(1));
        try (TestRouter one = TestRouter.connect(station.bmpPort(), "127.0.0.65");
                TestRouter other = TestRouter.connect(station.bmpPort(), "127.0.0.65")) {
            one.send(join(
                    "PROXY TCP4 198.51.100.1 127.0.0.1 4711 11019\r\n".getBytes(US_ASCII),
                    initiation("fault-12-1"),
                    table));
            other.send(join(
                    "PROXY TCP4 198.51.100.2 127.0.0.1 4711 11019\r\n".getBytes(US_ASCII),
                    initiation("fault-12-2"),
                    table));
            awaitRows(
                    "SELECT router, address, state FROM bmp.v_routers WHERE router LIKE 'fault-12%' ORDER BY 1",
                    "fault-12-1|198.51.100.1|connected", "fault-12-2|198.51.100.2|connected");
            awaitRows(rib("fault-12-2"), "1|0");
        }
        try (TestRouter stranger = TestRouter.connect(station.bmpPort(), "127.0.0.2")) {
            await().atMost(LIMIT).until(stranger::closedByStation);
        }
    }

    @Test
    @Order(6)
    void fault17OrderLost() throws Exception {
        // Given one route that is announced and withdrawn a thousand times, with another MED each time
        List<byte[]> messages = new ArrayList<>();
        for (int med = 0; med < 1000; med++) {
            byte[] attributes = join(attributes(), hex("800404%08x".formatted(med)));
            messages.add(monitoring(update(NONE, attributes, hex("18c63301"))));
            if (med % 3 == 0) {
                messages.add(monitoring(update(hex("18c63301"), NONE, NONE)));
            }
        }
        // When, then
        try (TestRouter router = router("fault-17", messages.toArray(byte[][]::new))) {
            String events = "SELECT count(*) FROM bmp.v_route_history WHERE router = 'fault-17'";
            awaitRows(events, "1334");
            assertThat(station.sql("SELECT med FROM bmp.v_route_history WHERE router = 'fault-17' AND med IS NOT NULL"
                            + " ORDER BY session_id, sequence"))
                    .isEqualTo(numbers(1000));
            awaitRows("SELECT count(*) FROM bmp.v_rib WHERE router = 'fault-17'", "0");
            router.send(monitoring(update(NONE, attributes(), hex("18c63301"))));
            awaitRows(rib("fault-17"), "1|0");
        }
    }

    private static List<String> numbers(int count) {
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    @Test
    @Order(7)
    void fault09StateBatchesDroppedUnderLoad() throws Exception {
        byte[] routes = tenThousandRoutes();
        List<TestRouter> routers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            routers.add(router("fault-09-" + i, routes));
        }
        awaitRows("SELECT count(*) FROM bmp.v_rib WHERE NOT stale AND router LIKE 'fault-09-%'", "80000");
        for (TestRouter router : routers) {
            assertThat(router.closedByStation()).isFalse();
            router.close();
        }
    }

    @Test
    @Order(8)
    void fault10FailedKafkaSendsDropped() throws Exception {
        // Given a broker that is killed, and routes that arrive while it is down
        ProcessHandle broker = station.kafka().orElseThrow();
        broker.destroyForcibly();
        await().atMost(LIMIT).until(() -> !broker.isAlive());
        try (TestRouter router = router("fault-10", tenThousandRoutes())) {
            // Then the routes are stored when it is back
            await().atMost(LIMIT.multipliedBy(2))
                    .untilAsserted(
                            () -> assertThat(station.sql(rib("fault-10"))).containsExactly("10000|0"));
            assertThat(router.closedByStation()).isFalse();
        }
    }

    /** The last one: it stops the station. */
    @Test
    @Order(9)
    void fault14StateLostAtShutdown() throws Exception {
        try (TestRouter router = router("fault-14", tenThousandRoutes())) {
            await().atMost(LIMIT).until(() -> station.log().contains("BMP session fault-14 (127.0.0.1"));
            assertThat(station.stop()).isZero();
            assertThat(router.closedByStation()).isTrue();
        }
        // The complete messages that it had read are stored after the next start, and so is the end of the session
        start();
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql("SELECT state FROM bmp.v_routers WHERE router = 'fault-14'"))
                                .containsExactly("disconnected"));
        awaitRows(
                "SELECT count(*) = (SELECT count(DISTINCT prefix) FROM bmp.v_route_history WHERE router = 'fault-14')"
                        + ", count(*) > 0 FROM bmp.v_rib WHERE router = 'fault-14' AND stale",
                "t|t");
    }
}
