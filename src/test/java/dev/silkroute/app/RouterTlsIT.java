package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.mock.LoadCommand;
import dev.silkroute.app.mock.ReplayCommand;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestAuthority;
import dev.silkroute.fixture.TestMessages;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A station that accepts BMP over TLS and requires certificates of its routers. */
class RouterTlsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

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
                // When its certificate is revoked, then the session ends and a new one is rejected
                authority.revoke("lists.crl", router);
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(station.log())
                                .contains("closed: certificate CN=router, serial number " + router.serialNumber()
                                        + ", was revoked at "));
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(station.sql("SELECT state FROM bmp.v_routers"))
                                .containsExactly("disconnected"));
            }
            attempt(router.context(own.certificate()), station);
            await().atMost(LIMIT).until(() -> rejected(station).equals(OptionalDouble.of(2)));
            List<String> revoked =
                    router.pem(folder, "revoked").stream().map(Path::toString).toList();
            replayAndLoadUseTls(station, own, authority, revoked);
        }
    }

    private void replayAndLoadUseTls(
            StationProcess station, KeyFiles own, TestAuthority authority, List<String> revoked) throws Exception {
        String to = "127.0.0.1:" + station.bmpPort();
        String ca = own.certificate().toString();
        // When a capture of several chunks is replayed twice over TLS, then its last message is stored as well
        List<byte[]> messages =
                new ArrayList<>(List.of(TestMessages.initiation("edge"), TestMessages.peerUp("192.0.2.77")));
        IntStream.range(0, 5000).forEach(i -> messages.add(TestMessages.route(i % 100)));
        messages.add(TestMessages.route(100));
        String capture = Files.write(folder.resolve("capture.bmp"), TestMessages.join(messages.toArray(byte[][]::new)))
                .toString();
        List<String> second = signed(authority, "edge-2");
        Outcome replay = run(new ReplayCommand(), to, ca, second, "--loop", "2", capture);
        assertThat(replay.stderr()).doesNotContain("silkroute replay:");
        assertThat(replay.exitCode()).as(replay.toString()).isZero();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                station.sql("SELECT count(*) FROM bmp.v_rib" + " WHERE router = 'edge-2.example.net'"))
                        .containsExactly("101"));
        // And so does the command that the documentation shows
        MarkdownPage page = new MarkdownPage(Path.of("docs/how-to/tls-and-access.md"));
        Block documented = page.command("./silkroute replay");
        List<String> words = List.of(documented
                .text()
                .replace("station.example.net:11019", to)
                .replace("station-ca.pem", ca)
                .replace("router.pem", second.getFirst())
                .replace("router.key", second.getLast())
                .replace("router.bmp", capture)
                .split(" "));
        page.assertPrints(
                documented,
                execute(new ReplayCommand(), words.subList(2, words.size())).stdout());
        // And the same for generated sessions
        List<String> third = signed(authority, "edge-3");
        Outcome load = run(new LoadCommand(), to, ca, third, "--peers", "1", "--prefixes", "500");
        assertThat(load.stderr()).doesNotContain("silkroute load:");
        assertThat(load.exitCode()).isZero();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                station.sql("SELECT count(*) FROM bmp.v_rib" + " WHERE router = 'edge-3.example.net'"))
                        .containsExactly("500"));
        // When the station's certificate is for another host, or of an unknown authority, then nothing is sent
        String elsewhere = "localhost:" + station.bmpPort();
        fails(run(new ReplayCommand(), elsewhere, ca, second, capture), elsewhere, "certificate is not accepted");
        fails(run(new LoadCommand(), elsewhere, ca, third), elsewhere, "certificate is not accepted");
        String stranger = authority.certificate().toString();
        fails(run(new ReplayCommand(), to, stranger, second, capture), to, "certificate is not accepted");
        fails(run(new LoadCommand(), to, stranger, third), to, "certificate is not accepted");
        // And when the station rejects the certificate of the router, then the error contains the reason of its alert
        String rejected = "the station rejected the TLS connection: certificate_unknown";
        fails(run(new ReplayCommand(), to, ca, revoked, "--bytes", "100", capture), to, rejected);
        fails(run(new LoadCommand(), to, ca, revoked, "--prefixes", "1", "--churn", "1"), to, rejected);
        // Also if it has sent everything, little as it is, before the station has verified the certificate
        fails(run(new LoadCommand(), to, ca, revoked, "--prefixes", "1"), "1 of 1 sessions", to, rejected);
        fails(run(new LoadCommand(), to, ca, revoked, "--prefixes", "1", "--down"), "1 of 1 sessions", to, rejected);
    }

    private List<String> signed(TestAuthority authority, String name) throws Exception {
        return authority.sign(name, "-ext", "SAN=dns:" + name + ".example.net").pem(folder, name).stream()
                .map(Path::toString)
                .toList();
    }

    private static Outcome run(Object command, String to, String ca, List<String> certificate, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--to", to, "--tls", "--tls-ca", ca));
        all.addAll(List.of("--tls-certificate", certificate.getFirst(), "--tls-key", certificate.getLast()));
        all.addAll(List.of(arguments));
        return execute(command, all);
    }

    private static Outcome execute(Object command, List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = line.execute(arguments.toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    private static void fails(Outcome outcome, String... parts) {
        assertThat(outcome.stderr().strip().lines()).as(outcome.stderr()).hasSize(1);
        assertThat(outcome.stderr()).contains(parts);
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    private static OptionalDouble rejected(StationProcess station) {
        return station.meter("bmp_sessions_ended_total", "reason=\"invalid-certificate\"");
    }

    @Test
    void aMissingCertificateFailsTheStart() throws Exception {
        KeyFiles own = KeyFiles.make(folder, "station");
        Path data = folder.resolve("data");
        rejected(
                StationProcess.command(
                        certificate(own, folder.resolve("nowhere.pem")), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.key",
                "nowhere.pem cannot be read");
        rejected(
                StationProcess.command(
                        Map.of("SILKROUTE_BMP_TLS_PLAIN_TOO", "true"), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.plain-too requires silkroute.bmp-tls.certificate and silkroute.bmp-tls.key");
        rejected(
                StationProcess.command(certificate(own, own.certificate()), "run", "--data-dir", data.toString()),
                "silkroute.bmp-tls.key",
                "station.pem contains no private key");
        assertThat(data).doesNotExist();
    }

    private static void rejected(Outcome outcome, String... parts) {
        assertThat(outcome.stderr().strip().lines()).as(outcome.stderr()).hasSize(1);
        assertThat(outcome.stderr()).startsWith("silkroute: ").contains(parts);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    private static Map<String, String> certificate(KeyFiles own, Path key) {
        return Map.of(
                "SILKROUTE_BMP_TLS_CERTIFICATE", own.certificate().toString(),
                "SILKROUTE_BMP_TLS_KEY", key.toString());
    }

    /** Connects with a certificate that the station rejects, perhaps before the client has sent its last message. */
    private static void attempt(SSLContext context, StationProcess station) throws IOException {
        try (Socket socket = connect(context, station)) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException | SSLException e) {
            assertThat(e).hasMessageMatching("(?s).*(closed|[Bb]roken pipe|reset|alert).*");
        }
    }

    private static Socket connect(SSLContext context, StationProcess station) throws IOException {
        Socket socket = context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), station.bmpPort());
        ((SSLSocket) socket).startHandshake();
        return socket;
    }
}
