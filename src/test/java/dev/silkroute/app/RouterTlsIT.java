package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestAuthority;
import dev.silkroute.fixture.TestMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station that accepts BMP over TLS and requires certificates of its routers. */
class RouterTlsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void acceptsRoutersWithCertificatesOnlyAndByTheirNamesUntilTheyAreRevoked() throws Exception {
        KeyFiles own = KeyFiles.make(folder, "station");
        TestAuthority authority = TestAuthority.make(folder, "authority");
        TestAuthority.Signed router = authority.sign("router", "-ext", "SAN=dns:edge-1.example.net");
        TestAuthority.Signed withoutName = authority.sign("without-name");
        Path lists = authority.revoke("lists.crl");
        Map<String, String> environment = new HashMap<>(certificate(own, own.keyAsPem()));
        environment.put("SILKROUTE_BMP_TLS_CLIENT_CA", authority.certificate().toString());
        environment.put("SILKROUTE_BMP_TLS_REVOCATION_LISTS", lists.toString());
        environment.put("SILKROUTE_BMP_TLS_RELOAD_INTERVAL", "1s");
        byte[] table = TestMessages.join(
                TestMessages.initiation("edge"), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1));
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"))) {
            // When one router presents its certificate, one presents none, one does not use TLS, and one has no name
            try (Socket named = connect(router.context(own.certificate()), station);
                    Socket unnamed = connect(own.trustingContext(), station);
                    Socket plain = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort());
                    Socket other = connect(withoutName.context(own.certificate()), station)) {
                named.getOutputStream().write(table);
                plain.getOutputStream().write(table);
                // Then the first is accepted under the name in its certificate, whatever sysName it sends
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(
                                        station.sql("SELECT router || ' ' || prefix || ' ' || stale FROM bmp.v_rib"))
                                .containsExactly("edge-1.example.net 198.51.1.0/24 false"));
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(station.sql(
                                        "SELECT router || ' ' || sys_name || ' ' || name_source FROM bmp.v_routers"))
                                .containsExactly("edge-1.example.net edge certificate"));
                // And the others are rejected
                await().atMost(LIMIT)
                        .until(() -> station.meter("bmp_sessions_ended_total", "reason=\"no-tls\"")
                                .equals(OptionalDouble.of(2)));
                await().atMost(LIMIT).until(() -> rejected(station).equals(OptionalDouble.of(1)));
                assertThat(station.log())
                        .contains("certificate CN=without-name, serial number " + withoutName.serialNumber()
                                + ", has no dNSName among its subject alternative names");
                assertThat(plain.getInputStream().read()).isEqualTo(-1);
                assertThat(unnamed.isConnected()).isTrue();
                assertThat(other.isConnected()).isTrue();
                assertThat(station.meter("bmp_sessions")).hasValue(1);
                // When its certificate is revoked, then the session ends and a new one is refused
                authority.revoke("lists.crl", router);
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(station.log())
                                .contains("closed: certificate CN=router, serial number " + router.serialNumber()
                                        + ", was revoked at "));
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(station.sql("SELECT state FROM bmp.v_routers"))
                                .containsExactly("disconnected"));
            }
            try (Socket again = connect(router.context(own.certificate()), station)) {
                await().atMost(LIMIT).until(() -> rejected(station).equals(OptionalDouble.of(2)));
                assertThat(again.isConnected()).isTrue();
            }
        }
    }

    private static OptionalDouble rejected(StationProcess station) {
        return station.meter("bmp_sessions_ended_total", "reason=\"invalid-certificate\"");
    }

    @Test
    void aMissingCertificateFailsTheStart() throws Exception {
        KeyFiles own = KeyFiles.make(folder, "station");
        Path data = folder.resolve("data");
        refused(
                StationProcess.command(
                        certificate(own, folder.resolve("nowhere.pem")), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.key",
                "nowhere.pem cannot be read");
        refused(
                StationProcess.command(
                        Map.of("SILKROUTE_BMP_TLS_PLAIN_TOO", "true"), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.plain-too requires silkroute.bmp-tls.certificate and silkroute.bmp-tls.key");
        refused(
                StationProcess.command(certificate(own, own.certificate()), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.key",
                "station.pem contains no private key");
        assertThat(data).doesNotExist();
    }

    private static void refused(Outcome outcome, String... parts) {
        assertThat(outcome.stderr().strip().lines()).as(outcome.stderr()).hasSize(1);
        assertThat(outcome.stderr()).startsWith("silkroute: ").contains(parts);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    private static Map<String, String> certificate(KeyFiles own, Path key) {
        return Map.of(
                "SILKROUTE_BMP_TLS_CERTIFICATE", own.certificate().toString(),
                "SILKROUTE_BMP_TLS_KEY", key.toString());
    }

    private static Socket connect(SSLContext context, StationProcess station) throws IOException {
        Socket socket = context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), station.bmpPort());
        ((SSLSocket) socket).startHandshake();
        return socket;
    }
}
