package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestOidcProvider;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of the REST API that ask for too much, disconnect, or do not read: none of them keeps a query for long. And
 * clients with tokens of an OpenID Connect provider.
 */
class HttpClientsIT {
    private static final int QUERIES = 2;

    /** So many that their answer does not fit into the buffers of a connection. */
    private static final int ROUTES = 30_000;

    private static final int PER_UPDATE = 1_000;
    private static final int PREFIX_BYTES = 4;
    private static final String AUDIENCE = "silkroute";
    private static final String ALL = "/api/v1/routes?limit=1000000";

    @TempDir
    private static Path folder;

    private static TestOidcProvider provider;
    private static StationProcess station;
    private static TestRouter router;
    private static HttpClient client;

    @BeforeAll
    static void start() throws IOException {
        provider = TestOidcProvider.start();
        Path users = Files.writeString(folder.resolve("users"), "bob=operator:correct horse\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_HTTP_OIDC_ISSUER",
                        provider.issuer(),
                        "SILKROUTE_HTTP_OIDC_AUDIENCE",
                        AUDIENCE,
                        "SILKROUTE_HTTP_OIDC_REQUIRED_CLAIMS",
                        "groups=operator",
                        "SILKROUTE_MANAGEMENT_USERS_FILE",
                        users.toString(),
                        "SILKROUTE_ROUTES_FLOWS_ENABLED",
                        "true",
                        "SILKROUTE_HTTP_MAX_QUERIES",
                        Integer.toString(QUERIES),
                        "SILKROUTE_HTTP_QUERY_TIMEOUT",
                        "3s",
                        "SILKROUTE_HTTP_STALL_TIMEOUT",
                        "2s"),
                folder.resolve("data"));
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        router = TestRouter.connect(station.bmpPort());
        router.send(TestMessages.join(TestMessages.initiation("large"), TestMessages.peerUp("192.0.2.77")));
        for (int n = 0; n < ROUTES; n += PER_UPDATE) {
            byte[] prefixes = new byte[PER_UPDATE * PREFIX_BYTES];
            for (int i = 0; i < PER_UPDATE; i++) {
                byte[] prefix = {24, 10, (byte) ((n + i) >> 8), (byte) (n + i)};
                System.arraycopy(prefix, 0, prefixes, i * PREFIX_BYTES, PREFIX_BYTES);
            }
            router.send(TestMessages.monitoring(TestMessages.update(new byte[0], TestMessages.attributes(), prefixes)));
        }
        await().until(() -> station.sql("SELECT count(*) FROM bmp.rib_route").equals(List.of("" + ROUTES)));
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        router.close();
        station.close();
        provider.close();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + station.httpPort() + path))
                .header("Authorization", "Bearer " + station.httpToken().orElseThrow());
    }

    private static CompletableFuture<HttpResponse<String>> send(String path) {
        return client.sendAsync(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** A client on a socket, which reads little at a time. */
    private static Socket ask(String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", station.httpPort()));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + station.httpToken().orElseThrow() + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void awaitQueries(double count) {
        await().until(() -> station.meter("silkroute_http_queries").orElse(-1) == count);
    }

    /** Neither queries nor their connections to PostgreSQL are left. */
    private static void awaitNothingOpen() {
        awaitQueries(0);
        await().until(() -> station.sql("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND state LIKE 'idle in transaction%'")
                .equals(List.of("0")));
    }

    private static JsonNode problem(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValueAsLong("retry-after")).hasValue(5);
        return CaptureFiles.parse(response.body());
    }

    /** Holds what every query of a table waits for. */
    private static Connection lock(String table) throws Exception {
        Connection connection = station.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        }
        return connection;
    }

    @Test
    void queriesBeyondTheLimitsAreAnsweredWith503AndAreTriedAgainWithSuccess() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting;
        try (Connection lock = lock("bmp.alert")) {
            waiting =
                    Stream.generate(() -> send("/api/v1/alerts")).limit(QUERIES).toList();
            awaitQueries(QUERIES);
            JsonNode tooMany = problem(station.get("/api/v1/routers"));
            assertThat(tooMany.path("type").asText()).isEqualTo("urn:silkroute:problem:retry-later");
            assertThat(tooMany.path("detail").asText()).contains("silkroute.http.max-queries is " + QUERIES);
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                JsonNode timeout = problem(each.get());
                assertThat(timeout.path("type").asText()).isEqualTo("urn:silkroute:problem:timeout");
                assertThat(timeout.path("detail").asText()).contains("silkroute.http.query-timeout");
            }
            awaitQueries(0);
            assertThat(station.get("/api/v1/routers").statusCode()).isEqualTo(200);
        }
        awaitNothingOpen();
        assertThat(station.get("/api/v1/alerts").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatDisconnectsWhileItsQueryWaitsLeavesNothing() throws Exception {
        try (Connection lock = lock("bmp.alert")) {
            Socket gone = ask("/api/v1/alerts");
            awaitQueries(1);
            gone.close();
            awaitQueries(0);
        }
        awaitNothingOpen();
    }

    @Test
    void aClientThatDisconnectsInTheMiddleOfItsAnswerLeavesNothing() throws Exception {
        Socket gone = ask(ALL);
        assertThat(gone.getInputStream().readNBytes(100)).asString().startsWith("HTTP/1.1 200");
        gone.close();
        awaitNothingOpen();
    }

    @Test
    void headOfALargeAnswerLeavesNothing() throws Exception {
        for (int i = 0; i < QUERIES + 1; i++) {
            HttpResponse<Void> head = client.send(request(ALL).HEAD().build(), HttpResponse.BodyHandlers.discarding());
            assertThat(head.statusCode()).isEqualTo(200);
        }
        awaitNothingOpen();
    }

    @Test
    void clientsThatDoNotReadAreDisconnectedAndOthersGetTheWholeAnswer() throws Exception {
        Socket first = ask(ALL);
        Socket second = ask(ALL);
        awaitQueries(QUERIES);
        awaitNothingOpen();
        for (Socket stalled : List.of(first, second)) {
            try (stalled;
                    InputStream in = stalled.getInputStream()) {
                assertThat(end(in)).doesNotContain("]}");
            }
        }
        JsonNode answer = CaptureFiles.parse(station.get(ALL).body());
        assertThat(answer.get("data")).hasSize(ROUTES);
        awaitNothingOpen();
    }

    private static HttpResponse<String> getWith(String url, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> claims(Map<String, Object> changed) {
        Map<String, Object> claims = provider.claims(AUDIENCE, Map.of("groups", List.of("noc", "operator")));
        claims.putAll(changed);
        return claims;
    }

    @Test
    void accessTokensOfTheProviderAreAcceptedIfTheyAreValidAndForTheStation() throws Exception {
        String api = "http://127.0.0.1:" + station.httpPort() + "/api/v1/routers";
        assertThat(getWith(api, provider.token(claims(Map.of()))).statusCode()).isEqualTo(200);
        assertThat(getWith(api, provider.token(claims(Map.of("aud", AUDIENCE)))).statusCode())
                .isEqualTo(200);
        assertThat(getWith(api, station.httpToken().orElseThrow()).statusCode()).isEqualTo(200);
        SeparateBlock documented = SeparateBlock.CURL_WITH_ACCESS_TOKEN;
        documented.assertPrints(new PageShell(folder)
                .with("ACCESS_TOKEN", provider.token(claims(Map.of())))
                .run(documented
                        .block()
                        .text()
                        .replace("https://silkroute.example.net", "http://127.0.0.1:" + station.httpPort())));
        long past = Instant.now().getEpochSecond() - 60;
        Map<String, Object> withoutEnd = claims(Map.of());
        withoutEnd.remove("exp");
        Map<String, Object> withoutAudience = claims(Map.of());
        withoutAudience.remove("aud");
        Map<String, String> rejected = Map.ofEntries(
                Map.entry("no token", ""),
                Map.entry("no token at all", "x"),
                Map.entry("expired", provider.token(claims(Map.of("exp", past)))),
                Map.entry("without expiry", provider.token(withoutEnd)),
                Map.entry("for another service", provider.token(claims(Map.of("aud", "other")))),
                Map.entry("for any service", provider.token(withoutAudience)),
                Map.entry("of another issuer", provider.token(claims(Map.of("iss", "https://example.net")))),
                Map.entry("without a required claim", provider.token(claims(Map.of("groups", List.of("noc"))))),
                Map.entry("of another key", provider.token(claims(Map.of()), TestOidcProvider.newKeys())),
                Map.entry("unsigned", provider.unsignedToken(claims(Map.of()))),
                Map.entry("signed with the public key", provider.confusedToken(claims(Map.of()))));
        for (Map.Entry<String, String> each : rejected.entrySet()) {
            HttpResponse<String> response = getWith(api, each.getValue());
            assertThat(response.statusCode()).as(each.getKey()).isEqualTo(401);
            assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(response.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"silkroute\"");
        }
    }

    /** The station asks the provider for its keys when it does not know the one of a token, but not each time. */
    @Test
    void accessTokensWithTheProvidersNewKeyAreAcceptedAndThoseWithItsOldKeyNoLonger() throws Exception {
        String api = "http://127.0.0.1:" + station.httpPort() + "/api/v1/routers";
        String old = provider.token(claims(Map.of()));
        assertThat(getWith(api, old).statusCode()).isEqualTo(200);

        provider.rotateKeys();

        assertThat(getWith(api, provider.token(claims(Map.of()))).statusCode()).isEqualTo(200);
        assertThat(getWith(api, old).statusCode()).isEqualTo(401);
    }

    /** The body must not be lost while the token is verified. */
    @Test
    void aRequestWithABodyIsAnsweredAfterItsAccessTokenIsVerified() throws Exception {
        int records = 3000;
        String body = ("{\"src_addr\":\"10.0.1.1\",\"dst_addr\":\"203.0.113.1\",\"bytes\":1500}\n").repeat(records);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + station.httpPort() + "/api/v1/flows"))
                .header("Authorization", "Bearer " + provider.token(claims(Map.of())))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(CaptureFiles.parse(response.body()).path("records"))
                .hasSize(records)
                .allSatisfy(
                        record -> assertThat(record.path("src_prefix").asText()).isEqualTo("10.0.1.0/24"));
    }

    /** The group of the token is the name of a role of the console, for which it is not. */
    @Test
    void accessTokensOfTheProviderAreNotForTheConsole() throws Exception {
        String console = station.managementUrl() + "/hawtio/user";
        assertThat(getWith(console, provider.token(claims(Map.of()))).statusCode())
                .isEqualTo(401);
        HttpResponse<String> challenge = getWith(console, "");
        assertThat(challenge.statusCode()).isEqualTo(401);
        assertThat(challenge.headers().firstValue("www-authenticate").orElseThrow())
                .containsIgnoringCase("basic");
    }

    /** Their bytes are hostile and large: pages of them are bounded like every other answer. */
    @Test
    void pagesOfTheQuarantineFollowEachOtherAndCountAsQueries() throws Exception {
        byte[] update = new byte[4_000];
        Arrays.fill(update, (byte) 0xFF);
        byte[] malformed = TestMessages.monitoring(TestMessages.bgp(2, update));
        for (int i = 0; i < 5; i++) {
            router.send(malformed);
        }
        String path = "/api/v1/quarantine?router=large&limit=2";
        await().until(() -> station.sql("SELECT count(*) FROM bmp.v_quarantine").equals(List.of("5")));
        List<Long> ids = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            JsonNode page = CaptureFiles.parse(station.get(next).body());
            JsonNode rows = page.get("data");
            assertThat(rows.size()).isLessThanOrEqualTo(2);
            rows.forEach(row -> {
                ids.add(row.get("id").asLong());
                assertThat(row.get("bytes").asText())
                        .hasSize(2 * row.get("length").asInt());
            });
            next = page.has("next") ? path + "&cursor=" + page.get("next").asText() : "";
        }
        assertThat(ids).hasSize(5).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(CaptureFiles.parse(
                                station.get("/api/v1/quarantine?router=unknown").body())
                        .get("data"))
                .isEmpty();

        try (Connection lock = lock("bmp.quarantine")) {
            List<CompletableFuture<HttpResponse<String>>> waiting =
                    Stream.generate(() -> send(path)).limit(QUERIES).toList();
            awaitQueries(QUERIES);
            assertThat(problem(station.get(path)).path("type").asText()).isEqualTo("urn:silkroute:problem:retry-later");
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(problem(each.get()).path("type").asText()).isEqualTo("urn:silkroute:problem:timeout");
            }
        }
        awaitNothingOpen();
    }

    /** Reads what had been sent before the connection was closed, and returns its end. */
    private static String end(InputStream in) {
        byte[] last = new byte[8192];
        int length = 0;
        try {
            for (int read = in.read(last); read > 0; read = in.read(last)) {
                length = read;
            }
        } catch (IOException e) {
            // reset by the station, as expected
        }
        return new String(last, 0, length, StandardCharsets.UTF_8);
    }
}
