package dev.silkroute.app.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.digest.ComparedTable;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.TableComparison;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibDigests;
import dev.silkroute.route.PeerEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison with a twin that has a RIB of its own, by HTTP. */
class TwinStationTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final Position POSITION = new Position("topic", Map.of(0, 17L, 3, 4L), OptionalLong.of(1_000));
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private final BatchFeed feed = new BatchFeed();
    private final Rib here = new Rib(RibConfig.ofBytes(256L << 20));
    private final Rib there = new Rib(RibConfig.ofBytes(256L << 20));
    private final RibDigests digestsThere = new RibDigests(there, () -> POSITION);
    private final AtomicLong exchanged = new AtomicLong();
    private HttpServer server;
    private TwinStation twin;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Path token = Files.createFile(
                folder.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(token, TOKEN + "\n");
        TwinSettings settings = new TwinSettings(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Optional.of(token),
                Duration.ofMinutes(1));
        twin = new TwinStation(settings, TwinStation.client(settings), exchanged);
    }

    @AfterEach
    void stop() {
        server.stop(0);
        here.close();
        there.close();
    }

    /** Answers as {@code DigestResource} does. */
    private void answer(HttpExchange request) throws IOException {
        Map<String, String> query = Arrays.stream(
                        request.getRequestURI().getRawQuery().split("&"))
                .map(parameter -> parameter.split("=", 2))
                .collect(Collectors.toMap(
                        parameter -> parameter[0], parameter -> URLDecoder.decode(parameter[1], UTF_8)));
        DigestKey key = DigestKey.parse(query.get("key"));
        TableSelection selection = new TableSelection(
                query.get("router"), query.get("peer"), null, null, hashes(query.getOrDefault("table", "")));
        String path = request.getRequestURI().getPath();
        String body;
        int status = 200;
        if (!("Bearer " + TOKEN).equals(request.getRequestHeaders().getFirst("Authorization"))) {
            status = 401;
            body = "{\"detail\":\"no token\"}";
        } else if (path.equals("/api/v1/rib/digest")) {
            body = DigestJson.text(
                    digestsThere.digests(selection, key, Integer.parseInt(query.get("cells"))), new RouteHasher(key));
        } else {
            TableName table = digestsThere.find(selection, key).orElseThrow();
            body = DigestJson.text(digestsThere.routes(table, key, hashes(query.get("routes"))));
        }
        byte[] bytes = body.getBytes(UTF_8);
        request.sendResponseHeaders(status, bytes.length);
        request.getResponseBody().write(bytes);
        request.close();
    }

    private static Set<Long> hashes(String text) {
        return Arrays.stream(text.split(","))
                .filter(hash -> !hash.isEmpty())
                .map(HexFormat::fromHexDigitsToLong)
                .collect(Collectors.toSet());
    }

    private static byte[] prefix(int i) {
        return BatchFeed.ipv4(0x10000000 + (i << 8), 24);
    }

    private void announce(Rib rib, int from, int to) {
        for (int begin = from; begin < to; begin += 1000) {
            feed.begin("edge 1", 1);
            for (int i = begin; i < Math.min(to, begin + 1000); i++) {
                feed.announce(PEER, Family.IPV4_UNICAST, null, prefix(i), BatchFeed.attributes(i % 50_000, i % 7));
            }
            rib.apply(feed.build());
        }
    }

    private TableComparison.Result compare() throws Exception {
        return new TableComparison(
                        new RibDigests(here, () -> Position.UNKNOWN),
                        twin,
                        task -> Thread.ofVirtual().start(task),
                        Duration.ZERO)
                .compare(TableSelection.ALL, 20);
    }

    @Test
    void threeDifferencesAmongAMillionRoutesTakeLessThan20Kilobytes() throws Exception {
        announce(here, 0, 1_000_000);
        announce(there, 0, 1_000_000);
        here.apply(feed.begin("edge 1", 1)
                .withdraw(PEER, Family.IPV4_UNICAST, null, prefix(5))
                .announce(PEER, Family.IPV4_UNICAST, null, prefix(6), BatchFeed.attributes(9, 9))
                .build());
        there.apply(feed.begin("edge 1", 1)
                .withdraw(PEER, Family.IPV4_UNICAST, null, prefix(700_000))
                .build());
        TableComparison.Result result = compare();
        assertThat(result.there()).isEqualTo(POSITION);
        ComparedTable table = result.tables().getFirst();
        assertThat(table.differing()).isEqualTo(3);
        assertThat(table.routes())
                .extracting(route -> route.any().nlri())
                .containsExactlyInAnyOrder("16.0.5.0/24", "16.0.6.0/24", "26.174.96.0/24");
        assertThat(exchanged.get()).isBetween(1_500L, 20_000L);
    }

    @Test
    void aRouteArrivesAsItIs() throws Exception {
        byte[] attributes = BatchFeed.attributes(1, 1);
        there.apply(feed.begin("edge 1", 1)
                .announce(
                        PEER,
                        Family.VPNV4,
                        5,
                        BatchFeed.labeled(Family.VPNV4, 7, 64500L << 32 | 1, 0x0A00_0000_0000_0000L, 0, 8, false),
                        attributes,
                        PathMarking.of(2, 3))
                .build());
        DigestKey key = DigestKey.random();
        TableName table =
                twin.digests(TableSelection.ALL, key, 16).tables().getFirst().name();
        assertThat(table.router()).isEqualTo("edge 1");
        RouteHasher hasher = new RouteHasher(key);
        long route = hasher.prefix(64500L << 32 | 1, 0, 0x0A000000, 8, true, 5);
        var received = twin.routes(table, key, Set.of(route)).routes().getFirst();
        var original = digestsThere.routes(table, key, Set.of(route)).routes().getFirst();
        assertThat(received).usingRecursiveComparison().isEqualTo(original);
        assertThat(received.labels()).containsExactly(7);
        assertThat(twin.routes(table, key, Set.of(route + 1)).routes()).isEmpty();
    }

    @Test
    void errorsOfTheTwinAreReportedWithTheirDetail() throws IOException {
        Files.writeString(folder.resolve("token"), "another token of a station");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> twin.digests(TableSelection.ALL, DigestKey.random(), 0))
                .withMessageContaining("the twin at http://127.0.0.1:")
                .withMessageEndingWith("status 401: no token");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> DigestJson.digests("{\"data\":[]}"))
                .withMessageContaining("the field position is missing");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> DigestJson.digests("{\"position\":{},\"data\":[{\"router\":\"r\"}]}"))
                .withMessageContaining("the field peer_type is missing");
    }
}
