package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.Programs;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestAuthority;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Routers behind HAProxy and stunnel, and TLS by OpenSSL (Debian packages {@code haproxy}, {@code stunnel4} and
 * {@code openssl}): the station has their addresses and rejects wrong certificates with the reason.
 */
class RouterProxiesIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/tls-and-access.md"));
    /** The stunnel of Debian has a number in its name. */
    private static final String STUNNEL = "stunnel4";

    @TempDir
    private static Path folder;

    private static KeyFiles own;
    private static TestAuthority authority;
    private static StationProcess station;

    private final List<Process> programs = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        Programs.assumeOnPath("haproxy", STUNNEL, "openssl");
        own = KeyFiles.make(folder, "station");
        authority = TestAuthority.make(folder, "authority");
        Map<String, String> environment = new HashMap<>();
        environment.put("SILKROUTE_PROXY_PROTOCOL_FROM", "127.0.0.1");
        environment.put("SILKROUTE_BMP_TLS_CERTIFICATE", own.certificate().toString());
        environment.put("SILKROUTE_BMP_TLS_KEY", own.keyAsPem().toString());
        environment.put("SILKROUTE_BMP_TLS_CLIENT_CA", authority.certificate().toString());
        environment.put("SILKROUTE_BMP_TLS_PLAIN_TOO", "true");
        station = StationProcess.startOnSharedServers(environment, folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        if (station != null) {
            station.close();
        }
    }

    @AfterEach
    void stopPrograms() {
        programs.forEach(Process::destroy);
    }

    private Process run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        programs.add(process);
        return process;
    }

    /** Where the programs write. */
    private static File log() {
        return folder.resolve("programs.log").toFile();
    }

    private static void awaitListener(int port) {
        await("a listener at port " + port + ", see " + log())
                .atMost(LIMIT)
                .until(() -> !Ports.isFree(Ports.LOOPBACK, port));
    }

    /** Returns the only text block of the page that contains a line. */
    private static String documented(String line) {
        List<String> found = PAGE.blocks().stream()
                .map(MarkdownPage.Block::text)
                .filter(text -> text.lines().anyMatch(line::equals))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** Starts HAProxy as documented and returns its port. */
    private int haProxy(String name, String version) throws IOException {
        int port = Ports.reserve(Ports.LOOPBACK);
        Path configuration = Files.writeString(
                folder.resolve(name + ".cfg"),
                documented("listen bmp")
                                .replace("192.0.2.10:11019", "127.0.0.1:" + port)
                                .replace("10.0.0.5:11019", "127.0.0.1:" + station.bmpPort())
                                .replace("send-proxy-v2", version)
                        + "\n");
        run("haproxy", "-db", "-f", configuration.toString());
        awaitListener(port);
        return port;
    }

    private static byte[] table(String router) {
        return TestMessages.join(
                TestMessages.initiation(router), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1));
    }

    private static void awaitRoute(String router, String address) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql(
                                "SELECT host(r.address) || ' ' || b.prefix FROM bmp.v_routers r JOIN bmp.v_rib b USING (router)"
                                        + " WHERE router = '" + router + "'"))
                        .containsExactly(address + " 198.51.1.0/24"));
    }

    @Test
    void routersBehindHaProxyHaveTheirOwnAddressesWithBothVersionsOfTheHeader() throws Exception {
        try (TestRouter first = TestRouter.connect(haProxy("first", "send-proxy"), "127.0.5.1");
                TestRouter second = TestRouter.connect(haProxy("second", "send-proxy-v2"), "127.0.5.2")) {
            first.send(table("behind-1"));
            second.send(table("behind-2"));
            awaitRoute("behind-1", "127.0.5.1");
            awaitRoute("behind-2", "127.0.5.2");
        }
    }

    /** Starts OpenSSL's client from an address, with a certificate, and returns its process. */
    private Process openSsl(int port, String from, TestAuthority.Signed certificate, String name) throws Exception {
        List<Path> files = certificate.pem(folder, name);
        Process client = new ProcessBuilder(
                        "openssl",
                        "s_client",
                        "-quiet",
                        "-verify_return_error",
                        "-bind",
                        from + ":0",
                        "-connect",
                        "127.0.0.1:" + port,
                        "-cert",
                        files.getFirst().toString(),
                        "-key",
                        files.getLast().toString(),
                        "-CAfile",
                        own.certificate().toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        programs.add(client);
        return client;
    }

    @Test
    void openSslAndHaProxyTogether() throws Exception {
        TestAuthority.Signed router = authority.sign("edge-3", "-ext", "SAN=dns:edge-3.example.net");
        Process client = openSsl(haProxy("third", "send-proxy-v2"), "127.0.5.3", router, "edge-3");
        client.getOutputStream().write(table("edge"));
        client.getOutputStream().flush();
        awaitRoute("edge-3.example.net", "127.0.5.3");
    }

    @Test
    void stunnelGivesTlsToARouterWithoutIt() throws Exception {
        List<Path> router =
                authority.sign("edge-4", "-ext", "SAN=dns:edge-4.example.net").pem(folder, "edge-4");
        Path both = Files.writeString(
                folder.resolve("router.pem"), Files.readString(router.getLast()) + Files.readString(router.getFirst()));
        int port = Ports.reserve(Ports.LOOPBACK);
        String service = documented("[bmp]")
                .replace("127.0.0.1:11019", "127.0.0.1:" + port)
                .replace("192.0.2.10:11019", "127.0.0.1:" + station.bmpPort())
                .replace("/etc/stunnel/router.pem", both.toString())
                .replace("/etc/stunnel/station-ca.pem", own.certificate().toString());
        Path configuration = Files.writeString(
                folder.resolve("stunnel.conf"), "foreground = yes\npid =\n" + service + "\nlocal = 127.0.5.4\n");
        run(STUNNEL, configuration.toString());
        awaitListener(port);
        try (TestRouter plain = TestRouter.connect(port)) {
            plain.send(table("edge"));
            awaitRoute("edge-4.example.net", "127.0.5.4");
        }
    }

    @Test
    void certificatesThatAreExpiredOrOfAnotherAuthorityAreRejectedWithTheReason() throws Exception {
        TestAuthority.Signed expired =
                authority.sign("expired", "-ext", "SAN=dns:expired.example.net", "-startdate", "-9d", "-validity", "7");
        TestAuthority stranger = TestAuthority.make(folder, "stranger");
        TestAuthority.Signed wrong = stranger.sign("wrong", "-ext", "SAN=dns:wrong.example.net");
        openSsl(station.bmpPort(), "127.0.5.5", expired, "expired");
        openSsl(station.bmpPort(), "127.0.5.6", wrong, "wrong");
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.log())
                                .contains(
                                        "BMP connection from 127.0.5.5 rejected, TLS: certificate CN=expired, serial number "
                                                + expired.serialNumber() + ", has expired at "
                                                + expired.certificate()
                                                        .getNotAfter()
                                                        .toInstant())
                                .contains(
                                        "BMP connection from 127.0.5.6 rejected, TLS: certificate CN=wrong, serial number "
                                                + wrong.serialNumber()
                                                + ", is not signed by an authority of silkroute.bmp-tls.client-ca, its issuer is CN=stranger"));
    }

    /** A header of the PROXY protocol from another address than the load balancer's could forge an address. */
    @Test
    void aHeaderFromAnotherAddressIsRejected() throws Exception {
        try (TestRouter forger = TestRouter.connect(station.bmpPort(), "127.0.5.7")) {
            forger.send("PROXY TCP4 127.0.5.8 127.0.0.1 50000 11019\r\n".getBytes(StandardCharsets.US_ASCII));
            forger.send(table("forger"));
            await().atMost(LIMIT).until(forger::closedByStation);
            assertThat(station.sql("SELECT count(*) FROM bmp.v_routers WHERE router = 'forger'"))
                    .containsExactly("0");
        }
    }
}
