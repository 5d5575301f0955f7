package dev.silkroute.app.rpki;

import static dev.silkroute.fixture.RtrPdus.announce;
import static dev.silkroute.fixture.RtrPdus.aspa;
import static dev.silkroute.fixture.RtrPdus.cacheReset;
import static dev.silkroute.fixture.RtrPdus.cacheResponse;
import static dev.silkroute.fixture.RtrPdus.endOfData;
import static dev.silkroute.fixture.RtrPdus.errorReport;
import static dev.silkroute.fixture.RtrPdus.resetQuery;
import static dev.silkroute.fixture.RtrPdus.serialNotify;
import static dev.silkroute.fixture.RtrPdus.serialQuery;
import static dev.silkroute.fixture.RtrPdus.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.fixture.TestRtrCache;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the VRPs of caches that are driven step by step. */
@Timeout(300)
class RtrVrpsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LATER = 3_600;
    private static final int EXPIRE = 7_200;
    private static final String A = "192.0.2.0/24";
    private static final String B = "198.51.100.0/24";
    private static final Vrp VRP_A = new Vrp(IpPrefix.parse(A), 24, 64500);
    private static final Vrp VRP_B = new Vrp(IpPrefix.parse(B), 24, 64501);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong clock = new AtomicLong();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestRtrCache cache;

    @TempDir
    private Path folder;

    @BeforeEach
    void startCache() throws IOException {
        cache = TestRtrCache.start();
        open.add(cache);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private RtrVrps station(Duration timeout, Optional<Path> exceptions, TestRtrCache... caches) {
        List<HostPort> addresses = List.of(caches).stream()
                .map(each -> HostPort.parse(each.address()))
                .toList();
        RtrVrps vrps = new RtrVrps(
                new RtrSettings(addresses, exceptions, timeout, Duration.ZERO, Duration.ofMillis(10)), clock::get);
        open.add(vrps);
        vrps.start(meters);
        return vrps;
    }

    private RtrVrps station(TestRtrCache... caches) {
        return station(LIMIT, Optional.empty(), caches);
    }

    private static void awaitVrps(RtrVrps station, Vrp... expected) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.table().toList()).containsExactly(expected));
    }

    private static byte[] end(int session, int serial) {
        return endOfData(2, session, serial, LATER, 600, EXPIRE);
    }

    private static void sendAll(TestRtrCache.Connection connection, int session, int serial) throws IOException {
        connection.send(cacheResponse(2, session), announce(2, A, 24, 64500), end(session, serial));
    }

    private double metric(String name, TestRtrCache of) {
        return meters.get("silkroute.rpki.rtr." + name)
                .tag("cache", of.address())
                .gauge()
                .value();
    }

    @Test
    void notificationsAndTheRefreshIntervalBringChanges() throws IOException {
        RtrVrps station = station(cache);
        TestRtrCache.Connection connection = cache.accept();
        connection.expect(resetQuery(2));
        connection.send(cacheResponse(2, 7), announce(2, A, 24, 64500));
        assertThat(station.table().size()).as("before End of Data").isZero();
        connection.send(end(7, -1));
        awaitVrps(station, VRP_A);
        assertThat(metric("serial", cache)).isEqualTo(4_294_967_295.0);
        assertThat(metric("synchronized", cache)).isEqualTo(1);

        connection.send(serialNotify(2, 7, 0)).expect(serialQuery(2, 7, -1));
        connection.send(cacheResponse(2, 7), announce(2, B, 24, 64501), endOfData(2, 7, 0, 1, 600, EXPIRE));
        awaitVrps(station, VRP_A, VRP_B);
        VrpTable before = station.table();

        connection.expect(serialQuery(2, 7, 0)); // after a refresh interval of 1 s
        connection.send(cacheResponse(2, 7), endOfData(2, 7, 0, 1, 600, EXPIRE));
        connection.expect(serialQuery(2, 7, 0));
        assertThat(station.table()).as("no changes").isSameAs(before);
        assertThat(station.aspas().size()).isZero();
        connection.send(cacheResponse(2, 7), withdraw(2, A, 24, 64500), aspa(2, 64500, 64510, 64511), end(7, 1));
        awaitVrps(station, VRP_B);
        assertThat(metric("vrps", cache)).isEqualTo(1);
        assertThat(station.aspas().toList()).containsExactly(new Aspa(64500, List.of(64510, 64511)));
        assertThat(metric("aspas", cache)).isEqualTo(1);
    }

    @Test
    void aNewConnectionContinuesTheSessionAndACacheResetEndsIt() throws IOException {
        RtrVrps station = station(cache);
        try (TestRtrCache.Connection first = cache.accept()) {
            sendAll(first.expect(resetQuery(2)), 7, 5);
            awaitVrps(station, VRP_A);
        }
        TestRtrCache.Connection second = cache.accept();
        second.expect(serialQuery(2, 7, 5)).send(cacheReset(2)).expect(resetQuery(2));
        awaitVrps(station, VRP_A);
        second.send(cacheResponse(2, 8), announce(2, B, 24, 64501));
        awaitVrps(station, VRP_A);
        second.send(end(8, 1));
        awaitVrps(station, VRP_B);
    }

    @Test
    void anotherSessionIsReportedAndAllOfItsDataAreQueried() throws IOException {
        RtrVrps station = station(cache);
        try (TestRtrCache.Connection first = cache.accept()) {
            sendAll(first.expect(resetQuery(2)), 7, 5);
            awaitVrps(station, VRP_A);
        }
        TestRtrCache.Connection second = cache.accept();
        second.expect(serialQuery(2, 7, 5)).send(cacheResponse(2, 8));
        second.expectError(0).expectEnd();
        TestRtrCache.Connection third = cache.accept();
        third.expect(resetQuery(2));
        awaitVrps(station, VRP_A);
        third.send(cacheResponse(2, 8), announce(2, B, 24, 64501), end(8, 1));
        awaitVrps(station, VRP_B);
        assertThat(meters.get("silkroute.rpki.rtr.errors")
                        .tags("direction", "sent", "error", "corrupt-data")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aSessionThatTheCacheDoesNotContinueIsNotTriedTwice() throws IOException {
        RtrVrps station = station(cache);
        try (TestRtrCache.Connection first = cache.accept()) {
            sendAll(first.expect(resetQuery(2)), 7, 5);
            awaitVrps(station, VRP_A);
        }
        cache.accept().expect(serialQuery(2, 7, 5)).close();
        try (TestRtrCache.Connection third = cache.accept()) {
            sendAll(third.expect(resetQuery(2)), 8, 1);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(metric("serial", cache)).isEqualTo(1));
        }
        cache.accept()
                .expect(serialQuery(2, 8, 1))
                .send(errorReport(2, 0, new byte[0], "session"))
                .close();
        cache.accept().expect(resetQuery(2));
        assertThat(meters.get("silkroute.rpki.rtr.errors")
                        .tags("direction", "received", "error", "corrupt-data")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theVersionIsLoweredUntilTheCacheSupportsIt() throws IOException {
        RtrVrps station = station(cache);
        try (TestRtrCache.Connection first = cache.accept()) {
            first.expect(resetQuery(2)).send(errorReport(2, 4, resetQuery(2), "no"));
        }
        try (TestRtrCache.Connection second = cache.accept()) {
            second.expect(resetQuery(1)).send(errorReport(0, 4, resetQuery(1), "no"));
        }
        try (TestRtrCache.Connection third = cache.accept()) {
            third.expect(resetQuery(0)).send(cacheResponse(0, 7), announce(0, A, 24, 64500), endOfData(7, 5));
            awaitVrps(station, VRP_A);
        }
        try (TestRtrCache.Connection fourth = cache.accept()) {
            fourth.expect(serialQuery(0, 7, 5)).send(errorReport(0, 4, serialQuery(0, 7, 5), "no"));
        }
        TestRtrCache.Connection fifth = cache.accept();
        sendAll(fifth.expect(resetQuery(2)), 1, 1);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(metric("serial", cache)).isEqualTo(1));
    }

    @Test
    void vrpsExpireUnlessTheCacheSendsEndOfData() throws IOException {
        RtrVrps station = station(cache);
        TestRtrCache.Connection connection = cache.accept();
        sendAll(connection.expect(resetQuery(2)), 7, 5);
        awaitVrps(station, VRP_A);
        clock.addAndGet(Duration.ofSeconds(EXPIRE - 1).toNanos());
        awaitVrps(station, VRP_A);

        connection.send(serialNotify(2, 7, 6)).expect(serialQuery(2, 7, 5));
        connection.send(cacheResponse(2, 7), end(7, 6));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(metric("serial", cache)).isEqualTo(6));
        clock.addAndGet(Duration.ofSeconds(EXPIRE - 1).toNanos());
        awaitVrps(station, VRP_A);

        connection.close();
        TestRtrCache.Connection unanswered = cache.accept();
        unanswered.expect(serialQuery(2, 7, 6));
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(station.table()).as("expired").isSameAs(VrpTable.EMPTY);
        station.reload();
        assertThat(metric("used", cache)).isZero();

        unanswered.close();
        sendAll(cache.accept().expect(resetQuery(2)), 7, 6);
        awaitVrps(station, VRP_A);
    }

    @Test
    void theMostPreferredCacheThatIsSynchronizedIsUsed() throws IOException {
        TestRtrCache other = TestRtrCache.start();
        open.add(other);
        int port = cache.port();
        cache.close();
        RtrVrps station = station(cache, other);
        TestRtrCache.Connection second = other.accept();
        second.expect(resetQuery(2)).send(cacheResponse(2, 1), announce(2, B, 24, 64501), end(1, 1));
        awaitVrps(station, VRP_B);

        TestRtrCache preferred = TestRtrCache.start(port);
        open.add(preferred);
        TestRtrCache.Connection first = preferred.accept();
        first.expect(resetQuery(2)).send(cacheResponse(2, 7), announce(2, A, 24, 64500));
        awaitVrps(station, VRP_B);
        first.send(end(7, 5));
        awaitVrps(station, VRP_A);
        second.expectEnd();
        assertThat(metric("used", preferred)).isEqualTo(1);
        assertThat(metric("used", other)).isZero();

        // The preferred cache sends no data any more: they stay in use until the other cache has sent its own
        first.close();
        preferred
                .accept()
                .expect(serialQuery(2, 7, 5))
                .send(errorReport(2, 2, new byte[0], "no data"))
                .close();
        TestRtrCache.Connection again = other.accept();
        again.expect(serialQuery(2, 1, 1));
        awaitVrps(station, VRP_A);
        again.send(cacheResponse(2, 1), end(1, 2));
        awaitVrps(station, VRP_B);
    }

    @Test
    void aCacheThatAnswersTooSlowlyIsDisconnected() throws IOException {
        station(Duration.ofMillis(500), Optional.empty(), cache);
        TestRtrCache.Connection slow = cache.accept();
        slow.expect(resetQuery(2)).send(cacheResponse(2, 7), announce(2, A, 24, 64500));
        slow.expectEnd();
        cache.accept().expect(resetQuery(2));
        assertThat(meters.get("silkroute.rpki.rtr.failures").counter().count()).isEqualTo(1);
    }

    @Test
    void localExceptionsApplyToCachesAndAreReloaded() throws IOException {
        Path slurm = folder.resolve("slurm.json");
        RtrVrps station = station(LIMIT, Optional.of(slurm), cache);
        TestRtrCache.Connection connection = cache.accept();
        sendAll(connection.expect(resetQuery(2)), 7, 5);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(metric("vrps", cache)).isEqualTo(1));
        assertThat(station.table().size()).as("no exceptions yet").isZero();

        write(
                slurm,
                "{\"slurmVersion\": 1, \"locallyAddedAssertions\": {\"prefixAssertions\": [{\"asn\": 64501,"
                        + " \"prefix\": \"198.51.100.0/24\"}]}}",
                1000);
        station.reload();
        assertThat(station.table().toList()).containsExactly(VRP_A, VRP_B);

        write(slurm, "{\"slurmVersion\":", 1001);
        station.reload();
        assertThat(station.table().toList()).as("a bad file").containsExactly(VRP_A, VRP_B);

        write(
                slurm,
                "{\"slurmVersion\": 1, \"validationOutputFilters\": {\"prefixFilters\": [{\"asn\": 64500}]}}",
                1002);
        station.reload();
        assertThat(station.table().size()).isZero();
        connection.send(serialNotify(2, 7, 6)).expect(serialQuery(2, 7, 5));
        connection.send(cacheResponse(2, 7), announce(2, B, 24, 64501), end(7, 6));
        awaitVrps(station, VRP_B);
    }

    private static void write(Path file, String content, int second) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
    }
}
