package dev.silkroute.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.mock.LoadCommand;
import dev.silkroute.app.mock.ReplayCommand;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestAuthority;
import dev.silkroute.fixture.TestMessages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A station that accepts BMP over TLS, requires certificates of its routers, and serves HTTPS. */
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
        Path https = Files.copy(own.certificate(), folder.resolve("https.pem"));
        Path httpsKey = Files.copy(own.keyAsPem(), folder.resolve("https-key.pem"));
        environment.put("SILKROUTE_HTTP_TLS_CERTIFICATE", https.toString());
        environment.put("SILKROUTE_HTTP_TLS_KEY", httpsKey.toString());
        environment.put("SILKROUTE_HTTP_TLS_RELOAD_INTERVAL", "1s");
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
            httpUsesTlsOnly(station, own);
            commandsTrustTheCertificateOfTheHttpPort(station);
            aRenewedCertificateOfTheHttpPortIsLoaded(station, https, httpsKey);
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
        List<String> words = List.of(SeparateBlock.REPLAY_WITH_TLS
                .block()
                .text()
                .replace("station.example.net:11019", to)
                .replace("station-ca.pem", ca)
                .replace("router.pem", second.getFirst())
                .replace("router.key", second.getLast())
                .replace("router.bmp", capture)
                .split(" "));
        SeparateBlock.REPLAY_WITH_TLS.assertPrints(
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

    private static void httpUsesTlsOnly(StationProcess station, KeyFiles own) throws Exception {
        assertThat(station.readyLine()).contains("HTTP https://127.0.0.1:" + station.httpPort());
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(own.trustingContext()).build()) {
            Brotli4jLoader.ensureAvailability();
            // When clients support HTTP/2, then they use it, and responses are compressed as they ask
            HttpResponse<byte[]> page = client.send(request(station, "/", "br"), BodyHandlers.ofByteArray());
            assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(page.headers().firstValue("Content-Encoding")).contains("br");
            String html =
                    new String(new BrotliInputStream(new ByteArrayInputStream(page.body())).readAllBytes(), UTF_8);
            Matcher script = Pattern.compile("assets/\\w+/app.js").matcher(html);
            assertThat(script.find()).isTrue();
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("script-src 'self'")
                    .doesNotContain("unsafe");
            HttpResponse<byte[]> asset =
                    client.send(request(station, "/" + script.group(), "gzip, br"), BodyHandlers.ofByteArray());
            assertThat(asset.headers().firstValue("Content-Encoding")).contains("br");
            assertThat(asset.headers().firstValue("Cache-Control")).contains("public, max-age=31536000, immutable");
            assertThat(new BrotliInputStream(new ByteArrayInputStream(asset.body())).readAllBytes())
                    .isEqualTo(Files.readAllBytes(Path.of("src/main/resources/looking-glass/app.js")));
            String routes = "/api/v1/routes?limit=100000";
            HttpResponse<byte[]> compressed = client.send(request(station, routes, "gzip"), BodyHandlers.ofByteArray());
            assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
            String json =
                    new String(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes(), UTF_8);
            HttpResponse<String> plain = client.send(request(station, routes, "identity"), BodyHandlers.ofString());
            assertThat(plain.headers().firstValue("Content-Encoding").orElse("identity"))
                    .isEqualTo("identity");
            // And a streamed response over HTTP/2 is the same in each encoding
            assertThat(plain.body()).isEqualTo(json).hasSizeGreaterThan(1 << 16);
            assertThat(new ObjectMapper().readTree(json).path("data"))
                    .hasSize(Integer.parseInt(
                            station.sql("SELECT count(*) FROM bmp.v_rib").getFirst()));
            // When a client does not use TLS, then it gets no answer
            HttpRequest withoutTls = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + station.httpPort() + "/"))
                    .build();
            assertThatThrownBy(() -> client.send(withoutTls, BodyHandlers.discarding()))
                    .isInstanceOf(IOException.class);
        }
    }

    private static HttpRequest request(StationProcess station, String path, String encoding) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + station.httpPort() + path))
                .header("Accept-Encoding", encoding)
                .build();
    }

    /** On this machine by the data directory, and on another one by a copy, as the page shows. */
    private void commandsTrustTheCertificateOfTheHttpPort(StationProcess station) throws Exception {
        StringWriter out = new StringWriter();
        CommandLine line = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out));
        assertThat(line.execute("status", "--data-dir", station.directory().toString()))
                .as(out.toString())
                .isZero();
        String url = "https://127.0.0.1:" + station.httpPort();
        assertThat(line.execute("status", "--url", url))
                .as("an unknown certificate")
                .isEqualTo(1);
        assertThat(out.toString()).contains("cannot reach a station at " + url);
        PageShell shell = new PageShell(folder);
        for (SeparateBlock block : List.of(SeparateBlock.CURL_OVER_HTTPS, SeparateBlock.STATUS_OVER_HTTPS)) {
            block.assertPrints(shell.run(block.block().text().replace("https://station.example.net:8080", url)));
        }
    }

    private void aRenewedCertificateOfTheHttpPortIsLoaded(StationProcess station, Path certificate, Path key)
            throws Exception {
        KeyFiles renewed = KeyFiles.make(folder, "renewed");
        Files.copy(renewed.keyAsPem(), key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        await().atMost(LIMIT)
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(station.get("/q/health/live").statusCode()).isEqualTo(200));
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
        String certificate = own.certificate().toString();
        rejected(
                StationProcess.command(
                        Map.of("SILKROUTE_HTTP_TLS_CERTIFICATE", certificate), "run", "--data-dir", data.toString()),
                "silkroute.http.tls.certificate requires silkroute.http.tls.key");
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
