package dev.silkroute.app.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.bgp.RibView;
import dev.silkroute.component.replay.Sink;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.load.DecodedLoad;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command from its arguments to its exit code, against a server that only accepts connections and reads. */
class LoadCommandIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        CommandLine command = new CommandLine(new LoadCommand());
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return command.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private static byte[] stream(LoadProfile profile, int router) {
        return DecodedLoad.bytes(new LoadPlan(profile).router(router));
    }

    @Test
    void sendsEachRouterOnItsOwnConnectionAndReportsWhatTheStationShouldHold() throws Exception {
        try (Sink sink = new Sink()) {
            Path expected = folder.resolve("expected");
            int exit = run(
                    "--to",
                    sink.address(),
                    "--routers",
                    3,
                    "--peers",
                    2,
                    "--prefixes",
                    500,
                    "--seed",
                    5,
                    "--churn",
                    3000,
                    "--duration",
                    0.1,
                    "--families",
                    "ipv4-unicast,evpn",
                    "--views",
                    "adj-rib-in-pre,loc-rib",
                    "--expected",
                    expected);

            assertThat(err.toString()).isEmpty();
            assertThat(exit).isZero();
            LoadProfile profile = TestLoad.of(5, 2, 500)
                    .routers(3)
                    .families(Family.IPV4_UNICAST, Family.EVPN)
                    .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                    .changes(300)
                    .profile();
            assertThat(sink.connections()).hasSize(3);
            assertThat(sink.connections().stream()
                            .map(c -> Arrays.hashCode(c.bytes()))
                            .toList())
                    .containsExactlyInAnyOrder(
                            Arrays.hashCode(stream(profile, 0)),
                            Arrays.hashCode(stream(profile, 1)),
                            Arrays.hashCode(stream(profile, 2)));
            assertThat(out.toString())
                    .contains("failed 0, rejected 0")
                    .containsPattern("should hold [0-9],[0-9]+ routes:");
            assertThat(Files.readAllLines(expected))
                    .hasSize(3 * 3 * 2)
                    .first()
                    .asString()
                    .startsWith("load-0001\t10.1.0.1\tadj-rib-in-pre\tipv4-unicast\t");
        }
    }

    @Test
    void eachRouterConnectsFromItsOwnAddress() throws Exception {
        int routers = 260;
        try (Sink sink = new Sink()) {
            int exit = run("--to", sink.address(), "--routers", routers, "--prefixes", 1, "--source-addresses");

            assertThat(err.toString()).isEmpty();
            assertThat(exit).isZero();
            Map<String, String> addresses = new TreeMap<>();
            await().atMost(LIMIT).until(() -> sink.connections().stream().allMatch(each -> each.ended() != null));
            for (Sink.Connection connection : sink.connections()) {
                addresses.put(
                        DecodedLoad.decode(connection.bytes()).router(),
                        connection.remote().getHostAddress());
            }
            assertThat(addresses)
                    .hasSize(routers)
                    .containsEntry("load-0001", "127.1.0.1")
                    .containsEntry("load-0250", "127.1.0.250")
                    .containsEntry("load-0251", "127.1.1.1");
            assertThat(Set.copyOf(addresses.values())).hasSize(routers);
        }
    }

    /** The Peer Ups alone exceed the pending bytes that a connection may have. */
    @Test
    void aRouterWithVeryManyPeers() throws Exception {
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), "--peers", 10_000, "--prefixes", 1, "--down"))
                    .isZero();
            await().atMost(LIMIT).until(() -> sink.connections().getFirst().ended() != null);
            LoadProfile profile = TestLoad.of(1, 10_000, 1).down(true).profile();
            assertThat(sink.connections().getFirst().bytes())
                    .isEqualTo(stream(profile, 0))
                    .hasSizeGreaterThan(2 << 20);
        }
    }

    @Test
    void sourceAddressesRequireALoopbackStation() {
        for (String station : List.of("192.0.2.1:11019", "[::1]:11019", "no-such-host.invalid:11019")) {
            assertThat(run("--to", station, "--source-addresses")).isEqualTo(2);
            assertThat(err.toString())
                    .contains("--source-addresses needs Linux and a station at an IPv4 loopback address, such as"
                            + " --to 127.0.0.1:11019, not " + station);
        }
    }

    @Test
    void anUnreachableStationIsAnError() {
        assertThat(run("--to", "127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("silkroute load: 1 of 1 sessions to 127.0.0.1:1 failed: ")
                .contains("Connection refused")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aLostConnectionIsAnError() throws Exception {
        try (Sink sink = new Sink().closeAfter(200_000)) {
            assertThat(run("--to", sink.address(), "--prefixes", 200_000)).isEqualTo(1);
            assertThat(err.toString()).contains("1 of 1 sessions to " + sink.address());
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void invalidArgumentsAreRejected() {
        assertThat(run("--families", "ipv5")).isEqualTo(2);
        assertThat(run("--views", "loc")).isEqualTo(2);
        assertThat(run("--peers", 0)).isEqualTo(2);
        assertThat(err.toString())
                .contains("'ipv5' is not one of ipv4-unicast, ")
                .contains("'loc' is not one of adj-rib-in-pre, ")
                .contains("peers must be from 1 to ");
    }

    @Test
    void aMissingRoutesDirectoryIsRejected() {
        StringWriter errors = new StringWriter();
        CommandLine cli =
                Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of())).setErr(new PrintWriter(errors));
        assertThat(cli.execute("load", "--routes-dir", "nowhere")).isEqualTo(2);
        assertThat(cli.execute("replay", "--routes-dir", "nowhere", "x")).isEqualTo(2);
        assertThat(errors.toString())
                .hasLineCount(2)
                .containsPattern("(?s)(--routes-dir nowhere is not a readable directory.*){2}");
    }

    @Test
    void anEditedRouteReplacesThePackagedOne() throws Exception {
        String packaged = new String(
                LoadCommandIT.class
                        .getResourceAsStream("/routes/load.camel.yaml")
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        Files.writeString(
                folder.resolve("load.camel.yaml"),
                packaged.replace("        - to: {id: send,", "        - stop: {}\n        - to: {id: send,"));
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), "--routes-dir", folder)).isZero();
            assertThat(sink.connections()).isEmpty();
            assertThat(out.toString()).contains("accepted 0");
        }
    }

    /** With TLS 1.3 a client may have sent everything before the station has verified its certificate. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void awaitsWhetherTheStationAcceptsTheCertificateAfterEverythingIsSent(boolean isAccepted) throws Exception {
        KeyFiles keys = KeyFiles.make(folder, "station");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout((int) LIMIT.toMillis());
            Thread station = Thread.ofVirtual().start(() -> verifyLate(server, keys, isAccepted));
            int exit = run(
                    "--to",
                    "127.0.0.1:" + server.getLocalPort(),
                    "--prefixes",
                    500,
                    "--tls",
                    "--tls-ca",
                    keys.certificate(),
                    "--tls-certificate",
                    keys.certificate(),
                    "--tls-key",
                    keys.keyAsPem());
            if (isAccepted) {
                assertThat(err.toString()).isEmpty();
            } else {
                assertThat(err.toString())
                        .contains("1 of 1 sessions", "the station rejected the TLS connection: certificate_unknown");
            }
            assertThat(exit).isEqualTo(isAccepted ? 0 : 1);
            assertThat(station.join(LIMIT)).isTrue();
        }
    }

    /** Accepts one connection, and decides about its certificate when messages have been received. */
    private static void verifyLate(ServerSocket server, KeyFiles keys, boolean isAccepted) {
        try (Socket tcp = server.accept()) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.keyManagers(), new TrustManager[] {new LateTrust(tcp, isAccepted)}, null);
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(tcp, null, tcp.getPort(), false);
            tls.setUseClientMode(false);
            tls.setNeedClientAuth(true);
            tls.getInputStream().transferTo(OutputStream.nullOutputStream());
            tls.close();
        } catch (SSLException e) {
            assertThat(isAccepted).as("%s", e).isFalse();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class LateTrust implements X509TrustManager {
        private static final int MESSAGES = 4096;

        private final Socket tcp;
        private final boolean isAccepted;

        LateTrust(Socket tcp, boolean isAccepted) {
            this.tcp = tcp;
            this.isAccepted = isAccepted;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
            await().atMost(LIMIT).until(() -> tcp.getInputStream().available() > MESSAGES);
            if (!isAccepted) {
                throw new CertificateException("revoked");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
            throw new CertificateException("a station has no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
