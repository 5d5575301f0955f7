package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station with several listeners, some over TLS and some over plain TCP. */
class FurtherListenersIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path folder;

    @Test
    void eachListenerHasItsOwnTransport() throws Exception {
        KeyFiles own = KeyFiles.make(folder, "station");
        int plainPort = Ports.reserve(Ports.LOOPBACK);
        int tlsPort = Ports.reserve(Ports.LOOPBACK);
        String plainListener = "tcp://127.0.0.1:" + plainPort;
        String tlsListener = "tls://127.0.0.1:" + tlsPort;
        Map<String, String> environment = Map.of(
                "SILKROUTE_BMP_LISTENERS",
                plainListener + ", " + tlsListener,
                "SILKROUTE_BMP_TLS_CERTIFICATE",
                own.certificate().toString(),
                "SILKROUTE_BMP_TLS_KEY",
                own.keyAsPem().toString());
        SSLContext client = own.trustingContext();
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"))) {
            assertThat(station.meter("bmp_listener_open", plainListener)).hasValue(1);
            assertThat(station.meter("bmp_listener_open", tlsListener)).hasValue(1);
            try (Socket plain = new Socket(LOOPBACK, plainPort);
                    Socket secured = connect(client, tlsPort);
                    Socket standard = connect(client, station.bmpPort());
                    Socket rejectedByTls = new Socket(LOOPBACK, tlsPort);
                    Socket rejectedByStandard = new Socket(LOOPBACK, station.bmpPort())) {
                // When routers connect as their listener requires, then their routes are stored
                stored(station, plain, "plain");
                stored(station, secured, "secured");
                stored(station, standard, "standard");
                // When others do not use TLS where it is required, then they are rejected
                rejectedByTls.getOutputStream().write(TestMessages.initiation("other"));
                rejectedByStandard.getOutputStream().write(TestMessages.initiation("other"));
                await().atMost(LIMIT)
                        .until(() -> station.meter("bmp_sessions_ended_total", "reason=\"no-tls\"")
                                .equals(OptionalDouble.of(2)));
                assertThat(rejectedByTls.getInputStream().read()).isEqualTo(-1);
                assertThat(station.meter("bmp_listener_accepted_total", plainListener))
                        .hasValue(1);
                assertThat(station.meter("bmp_listener_accepted_total", tlsListener))
                        .hasValue(2);
                assertThat(station.meter("bmp_sessions")).hasValue(3);
                // When the station stops, then it ends the sessions of all listeners in order
                assertThat(station.stop()).isZero();
                assertThat(plain.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aListenerAtAPortInUseFailsTheStart() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, LOOPBACK)) {
            Outcome outcome = StationProcess.command(
                    Map.of("SILKROUTE_BMP_LISTENERS", "tcp://127.0.0.1:" + used.getLocalPort()),
                    "run",
                    "--data-dir",
                    folder.resolve("data").toString(),
                    "--bmp-port",
                    "0",
                    "--http-port",
                    "0");
            assertThat(outcome.stderr().strip()).isEqualTo("silkroute: port " + used.getLocalPort() + " is in use");
            assertThat(outcome.exitCode()).isEqualTo(2);
        }
    }

    private static void stored(StationProcess station, Socket router, String name) throws IOException {
        router.getOutputStream()
                .write(TestMessages.join(
                        TestMessages.initiation(name), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1)));
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql("SELECT prefix FROM bmp.v_rib WHERE router LIKE '" + name + "%'"))
                                .containsExactly("198.51.1.0/24"));
    }

    private static Socket connect(SSLContext context, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(LOOPBACK, port);
        socket.startHandshake();
        return socket;
    }
}
