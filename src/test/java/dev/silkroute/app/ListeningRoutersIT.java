package dev.silkroute.app;

import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station that connects to routers, which listen (RFC 7854, section 3.2). */
class ListeningRoutersIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path data;

    @Test
    void theStationConnectsAgainUntilItStops() throws Exception {
        int port = Ports.reserve(Ports.LOOPBACK);
        try (ServerSocket silent = new ServerSocket(0, 50, LOOPBACK);
                UnansweredPort unanswered = new UnansweredPort();
                StationProcess station = StationProcess.startOnSharedServers(
                        Map.of(
                                "SILKROUTE_BMP_CONNECT_ADDRESSES",
                                address(silent.getLocalPort()) + "," + address(unanswered.port()) + "," + address(port),
                                "SILKROUTE_BMP_CONNECT_TIMEOUT",
                                "2s",
                                "SILKROUTE_BMP_CONNECT_RETRY_DELAY",
                                "100ms",
                                "SILKROUTE_BMP_CONNECT_MAX_RETRY_DELAY",
                                "2s",
                                // Restricts accepted connections only
                                "SILKROUTE_BMP_ALLOW",
                                "192.0.2.1"),
                        data.resolve("data"))) {
            // Given a router that does not listen yet, one that sends nothing, and one that does not respond at all
            until(() -> assertThat(attempts(station, port, "failed")).isGreaterThanOrEqualTo(2));
            until(() ->
                    assertThat(attempts(station, unanswered.port(), "failed")).isPositive());
            assertThat(established(station, silent.getLocalPort())).isOne();
            assertThat(established(station, port)).isZero();
            assertThat(station.log().lines().filter(line -> line.contains(address(port) + " failed")))
                    .as("a repeated failure is logged once")
                    .hasSize(1);

            // When the first begins to listen, then its routes are stored
            try (ServerSocket listener = new ServerSocket(port, 50, LOOPBACK)) {
                try (TestRouter router = TestRouter.accept(listener)) {
                    router.send(table(1));
                    until(() -> assertThat(prefixes(station)).containsExactly("198.51.1.0/24"));
                    until(() -> assertThat(station.sql("SELECT router, address, name_source, state FROM bmp.v_routers"))
                            .containsExactly("listening|127.0.0.1|sys-name|connected"));
                    assertThat(established(station, port)).isOne();
                    // When it closes the connection within a table dump
                    byte[] half = route(2);
                    router.send(half, 0, half.length / 2, half.length);
                }
                // Then the station connects again and receives the table
                try (TestRouter router = TestRouter.accept(listener)) {
                    router.send(join(table(1), route(2)));
                    until(() -> assertThat(prefixes(station)).containsExactly("198.51.1.0/24", "198.51.2.0/24"));
                    assertThat(attempts(station, port, "established")).isEqualTo(2);
                    assertThat(station.sql("SELECT count(DISTINCT session_id) FROM bmp.v_route_history"))
                            .containsExactly("2");

                    // When the station stops, then it closes the connection and does not connect again
                    assertThat(station.stop()).isZero();
                    assertThat(router.closedByStation()).isTrue();
                }
                listener.setSoTimeout(1);
                assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    @Test
    void aStationThatWaitsForTheNextAttemptStopsAtOnce() throws Exception {
        int port = Ports.reserve(Ports.LOOPBACK);
        try (StationProcess station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_BMP_CONNECT_ADDRESSES",
                        address(port),
                        "SILKROUTE_BMP_CONNECT_RETRY_DELAY",
                        "1h",
                        "SILKROUTE_BMP_CONNECT_MAX_RETRY_DELAY",
                        "1h"),
                data.resolve("data"))) {
            until(() -> assertThat(attempts(station, port, "failed")).isOne());
            assertThat(station.stop()).isZero();
        }
    }

    @Test
    void anInvalidAddressFailsTheStart() {
        Outcome outcome = StationProcess.command(
                Map.of("SILKROUTE_BMP_CONNECT_ADDRESSES", "192.0.2.1"),
                "run",
                "--data-dir",
                data.resolve("none").toString());
        assertThat(outcome.stderr().strip())
                .isEqualTo(
                        "silkroute: silkroute.bmp-connect.addresses: '192.0.2.1' is not HOST:PORT, an IPv6 address in"
                                + " brackets");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(data.resolve("none")).doesNotExist();
    }

    private static byte[] table(int n) {
        return join(initiation("listening"), peerUp("192.0.2.77"), route(n));
    }

    private static List<String> prefixes(StationProcess station) {
        return station.sql("SELECT prefix FROM bmp.v_rib WHERE router = 'listening' AND NOT stale ORDER BY prefix");
    }

    private static double established(StationProcess station, int port) {
        OptionalDouble value = station.meter("bmp_connect_established", "address=\"" + address(port) + "\"");
        return value.orElseThrow();
    }

    private static double attempts(StationProcess station, int port, String outcome) {
        return station.meter(
                        "bmp_connect_attempts_total",
                        "address=\"" + address(port) + "\"",
                        "outcome=\"" + outcome + "\"")
                .orElseThrow();
    }

    private static void until(ThrowingRunnable assertion) {
        await().atMost(LIMIT).untilAsserted(assertion);
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    /** A port at which attempts to connect get no response, because its queue of connections is full. */
    private static final class UnansweredPort implements AutoCloseable {
        private static final int MORE_THAN_THE_QUEUE = 8;

        private final ServerSocket listener = new ServerSocket(0, 1, LOOPBACK);
        private final List<SocketChannel> queue = new ArrayList<>();

        UnansweredPort() throws IOException {
            for (int i = 0; i < MORE_THAN_THE_QUEUE; i++) {
                SocketChannel client = SocketChannel.open();
                client.configureBlocking(false);
                client.connect(new InetSocketAddress(LOOPBACK, port()));
                queue.add(client);
            }
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel client : queue) {
                client.close();
            }
            listener.close();
        }
    }
}
