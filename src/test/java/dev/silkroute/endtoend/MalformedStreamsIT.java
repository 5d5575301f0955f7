package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends 1500 malformed streams to one station beside a valid session. Each stream must be handled as the protocol
 * specifies, without effect on the valid session.
 */
class MalformedStreamsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int COUNT = 500;
    private static final int AT_ONCE = 16;
    private static final int PIECES = 500;
    private static final String CAPTURE = "frr-noap";
    private static final long HELD_BOUND = 128L << 20;

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.startOnSharedServers(
                Map.of("SILKROUTE_PARTIAL_MESSAGE_TIMEOUT", "20s"), folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    /** A stream and its connection, which stays open after it was sent. */
    private record Sent(BadStream stream, TestRouter connection) {}

    /** The end of a session as the station reports it. */
    private record End(int messages, String reason) {}

    @Test
    void everyStreamIsHandledAndTheValidSessionIsUnaffected() throws Exception {
        byte[] capture = CaptureFiles.stream(CAPTURE);
        int mark = CaptureFiles.mark(CAPTURE);
        List<Sent> all = new ArrayList<>();
        try (TestRouter good = TestRouter.connect(station.bmpPort());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> goodSent = threads.submit(() -> sendSteadily(good, capture, mark));
            for (int seed = 1; seed <= 3; seed++) {
                List<Sent> sent = send(threads, BadStreams.of(seed, COUNT, capture));
                all.addAll(sent);
                assertThat(held()).isLessThan(HELD_BOUND);
                awaitLastRoutes(sent);
            }
            awaitClosed(all);
            assertContinues(all);
            assertStored(all);
            goodSent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertGoodRouter();
            assertThat(good.closedByStation()).isFalse();
            for (Sent one : all) {
                one.connection.close();
            }
        }
        assertEnds(all);
        assertLog(all);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(held()).isZero());
        assertThat(station.isAlive()).isTrue();
    }

    /** Sends the valid session, at a rate that makes it last about as long as all malformed streams. */
    private static @Nullable Void sendSteadily(TestRouter good, byte[] stream, int length) throws IOException {
        int piece = length / PIECES + 1;
        for (int at = 0; at < length; at += piece) {
            good.send(stream, at, Math.min(length, at + piece), piece);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return null;
    }

    private static List<Sent> send(ExecutorService threads, List<BadStream> streams) throws Exception {
        Semaphore atOnce = new Semaphore(AT_ONCE);
        List<Future<Sent>> tasks = new ArrayList<>();
        for (BadStream stream : streams) {
            tasks.add(threads.submit(() -> {
                atOnce.acquire();
                try {
                    TestRouter connection = TestRouter.connect(station.bmpPort());
                    send(connection, stream);
                    return new Sent(stream, connection);
                } finally {
                    atOnce.release();
                }
            }));
        }
        List<Sent> sent = new ArrayList<>();
        for (Future<Sent> task : tasks) {
            sent.add(task.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
        return sent;
    }

    private static void send(TestRouter connection, BadStream stream) throws IOException {
        byte[] bytes = stream.bytes();
        try {
            if (stream.slow()) {
                for (int at = 0; at < bytes.length; at += 7) {
                    connection.send(bytes, at, Math.min(bytes.length, at + 7), 1);
                    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                }
            } else {
                connection.send(bytes);
            }
        } catch (IOException e) {
            if (stream.expect().continues() || stream.expect() == Expect.WAIT) {
                throw new IOException(stream.toString(), e);
            }
        }
    }

    private static void awaitLastRoutes(List<Sent> sent) {
        Set<String> expected = new HashSet<>();
        sent.stream().filter(one -> one.stream.expect().continues()).forEach(one -> expected.add(one.stream.router()));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql(
                                "SELECT DISTINCT router FROM bmp.v_route_history WHERE event = 'announce' AND prefix ="
                                        + " '"
                                        + BadStreams.LAST + "'"))
                        .containsAll(expected));
    }

    /** Waits until the station has closed the sessions that it must close, at once or after the timeout. */
    private static void awaitClosed(List<Sent> sent) {
        for (Sent one : sent) {
            if (one.stream.expect().closes()) {
                await(one.stream.toString()).atMost(LIMIT).until(one.connection::closedByStation);
            }
        }
    }

    private static void assertContinues(List<Sent> sent) throws IOException {
        for (Sent one : sent) {
            if (one.stream.expect().continues()) {
                assertThat(one.connection.closedByStation())
                        .as(one.stream.toString())
                        .isFalse();
            }
        }
    }

    private static void assertStored(List<Sent> sent) throws SQLException {
        Map<String, Set<String>> before =
                grouped("SELECT router, event FROM bmp.v_route_history WHERE prefix = '" + BadStreams.BEFORE + "'");
        Map<String, Set<String>> damaged =
                grouped("SELECT router, event FROM bmp.v_route_history WHERE prefix = '" + BadStreams.DAMAGED + "'");
        awaitQuarantine(sent);
        await().atMost(LIMIT).untilAsserted(MalformedStreamsIT::assertListed);
        Map<String, Set<String>> quarantined = grouped("SELECT router, count(*) FROM bmp.v_quarantine GROUP BY router");
        for (Sent one : sent) {
            BadStream stream = one.stream;
            if (stream.good() > 0) {
                assertThat(before.get(stream.router())).as(stream.toString()).contains("announce");
            }
            Set<String> none = Set.of();
            switch (stream.expect()) {
                case QUARANTINE ->
                    assertThat(quarantined.get(stream.router()))
                            .as(stream.toString())
                            .containsExactly("1");
                case SKIP, ACCEPT ->
                    assertThat(quarantined).as(stream.toString()).doesNotContainKey(stream.router());
                case ANNOUNCE -> {
                    assertThat(quarantined).as(stream.toString()).doesNotContainKey(stream.router());
                    assertThat(damaged.getOrDefault(stream.router(), none))
                            .as(stream.toString())
                            .containsExactly("announce");
                }
                case WITHDRAW -> {
                    assertThat(quarantined).as(stream.toString()).doesNotContainKey(stream.router());
                    assertThat(damaged.getOrDefault(stream.router(), none))
                            .as(stream.toString())
                            .containsExactly("withdraw");
                }
                default -> {}
            }
        }
    }

    private static void awaitQuarantine(List<Sent> sent) {
        Set<String> expected = new HashSet<>();
        sent.stream()
                .filter(one -> one.stream.expect() == Expect.QUARANTINE)
                .forEach(one -> expected.add(one.stream.router()));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql("SELECT DISTINCT router FROM bmp.v_quarantine"))
                        .containsAll(expected));
    }

    /** Checks that the REST API lists the whole quarantine, with reasons and bytes, the newest message first. */
    private static void assertListed() {
        List<String> listed = new ArrayList<>();
        for (JsonNode row : CaptureFiles.parse(station.get("/api/v1/quarantine?state=all&limit=1000000")
                        .body())
                .get("data")) {
            listed.add(
                    Stream.of("id", "router", "message_type", "reason", "rfc_section", "byte_offset", "length", "bytes")
                            .map(field -> row.path(field).asText("-"))
                            .collect(Collectors.joining("|")));
        }
        assertThat(listed)
                .isEqualTo(station.sql("SELECT id, router, message_type, reason, rfc_section, byte_offset,"
                        + " length(bytes), encode(substring(bytes for 8192), 'hex') FROM bmp.v_quarantine"
                        + " ORDER BY id DESC"));
    }

    /** Checks that the station holds exactly the routes of the valid session. */
    private static void assertGoodRouter() {
        List<String> expected = new ArrayList<>();
        for (JsonNode row : CaptureFiles.state(CAPTURE)) {
            if (row.get("afi").asInt() <= 2 && row.get("safi").asInt() == 1) {
                expected.add(RouteText.identity(row) + " " + RouteText.attributes(row));
            }
        }
        expected.sort(null);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(rib("frr-1")).isEqualTo(expected));
    }

    private static List<String> rib(String router) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = station.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + RouteText.COLUMNS
                        + " FROM bmp.v_rib WHERE NOT stale AND safi = 1 AND afi <= 2 AND router = '" + router + "'")) {
            while (row.next()) {
                rows.add(RouteText.identity(row) + " " + RouteText.attributes(row));
            }
        }
        rows.sort(null);
        return rows;
    }

    private static Map<String, Set<String>> grouped(String query) throws SQLException {
        Map<String, Set<String>> groups = new HashMap<>();
        for (String row : station.sql(query)) {
            String[] parts = row.split("\\|");
            groups.computeIfAbsent(parts[0], key -> new HashSet<>()).add(parts[1]);
        }
        return groups;
    }

    /** Checks the reason and the number of messages with which each session ended. */
    private static void assertEnds(List<Sent> sent) throws SQLException {
        long named = sent.stream().filter(one -> !one.stream.router().isEmpty()).count();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql(
                                "SELECT count(DISTINCT router) FROM bmp.v_peer_events WHERE event = 'session-down'"
                                        + " AND router LIKE 'bad%'"))
                        .containsExactly(Long.toString(named)));
        Map<String, End> ends = ends();
        for (Sent one : sent) {
            if (!one.stream.router().isEmpty()) {
                assertEnd(one.stream, ends.getOrDefault(one.stream.router(), new End(-1, "no session-down event")));
            }
        }
        assertThat(station.sql(
                        "SELECT count(*) FROM bmp.v_peer_events WHERE event = 'session-rejected' AND reason <> ''"))
                .containsExactly(Long.toString(sent.size() - named));
    }

    private static void assertEnd(BadStream stream, End end) {
        String what = stream + ": " + end;
        switch (stream.expect()) {
            case CLOSE -> {
                assertThat(end.reason())
                        .as(what)
                        .matches("(wrong-version|impossible-length|too-long) at offset \\d+.*");
                assertThat(end.messages()).as(what).isEqualTo(stream.good());
            }
            case WAIT -> {
                assertThat(end.reason()).as(what).startsWith("no byte for 20 s inside a message");
                assertThat(end.messages()).as(what).isEqualTo(stream.good());
            }
            case TERMINATE -> {
                assertThat(end.reason()).as(what).isEqualTo("Termination message");
                assertThat(end.messages()).as(what).isEqualTo(stream.messages());
            }
            case ANY -> assertThat(end.messages()).as(what).isGreaterThanOrEqualTo(stream.good());
            default -> {
                assertThat(end.reason()).as(what).isEqualTo("connection closed");
                assertThat(end.messages()).as(what).isEqualTo(stream.messages());
            }
        }
    }

    /**
     * Returns the end of each session by router. The upper bits of the event's sequence count the messages before it.
     */
    private static Map<String, End> ends() {
        Map<String, End> ends = new HashMap<>();
        for (String row : station.sql("SELECT router, sequence >> 16, reason FROM bmp.v_peer_events"
                + " WHERE event = 'session-down' AND router LIKE 'bad%'")) {
            String[] columns = row.split("\\|", 3);
            End end = new End(Integer.parseInt(columns[1]), columns[2]);
            assertThat(ends.put(columns[0], end))
                    .as("an earlier end of " + columns[0])
                    .isNull();
        }
        return ends;
    }

    /**
     * Checks that malformed streams cause no errors, warnings or stack traces, and no more than two log lines for each
     * session.
     */
    private static void assertLog(List<Sent> sent) {
        List<String> lines = station.log().lines().toList();
        assertThat(lines).noneMatch(line -> line.contains("Exception") || line.startsWith("\tat "));
        // The tests' Kafka has one broker, which is worth a warning at the start
        assertThat(lines)
                .filteredOn(line -> !line.contains("[StationTopics] If one Kafka broker fails"))
                .noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
        assertThat(lines.size()).isLessThanOrEqualTo(2 * sent.size() + 60);
    }

    private static double held() {
        return station.meter("bmp_held_bytes").orElseThrow();
    }

    @Test
    void theSameSeedGivesTheSameStreams() {
        byte[] capture = CaptureFiles.stream(CAPTURE);
        assertThat(BadStreams.of(7, 100, capture)).isEqualTo(BadStreams.of(7, 100, capture));
        assertThat(BadStreams.of(8, 100, capture)).isNotEqualTo(BadStreams.of(7, 100, capture));
        assertThat(capture.length).isGreaterThan(BmpMessages.COMMON_HEADER_LENGTH);
    }
}
