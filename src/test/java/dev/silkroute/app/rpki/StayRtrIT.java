package dev.silkroute.app.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.fixture.Programs;
import dev.silkroute.fixture.RtrRelay;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the VRPs that the station receives from StayRTR, an RTR cache by others (Debian package {@code stayrtr}),
 * with those of the file that StayRTR reads.
 */
@Timeout(300)
class StayRtrIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int COUNT = 20_000;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireStayRtr() {
        Programs.assumeOnPath("stayrtr");
    }

    private Process stayRtr(int version, int port, Path file) throws IOException {
        return new ProcessBuilder(
                        "stayrtr",
                        "-protocol",
                        "" + version,
                        "-bind",
                        "127.0.0.1:" + port,
                        "-metrics.addr",
                        "127.0.0.1:" + Ports.reserve(Ports.LOOPBACK),
                        "-cache",
                        file.toString(),
                        "-checktime=false",
                        "-refresh",
                        "1",
                        "-rtr.retry",
                        "1")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("stayrtr.log").toFile()))
                .start();
    }

    /** Writes VRPs of IPv4 and IPv6, of which every tenth has another AS number in each generation. */
    private static void write(Path file, int generation) throws IOException {
        Stream<Vrp> vrps = IntStream.range(0, COUNT).mapToObj(i -> {
            int asn = i % 10 == 0 ? -1 - generation : 64_500 + i;
            IpPrefix prefix = IpPrefix.parse(
                    i % 2 == 0
                            ? "10." + (i >> 8) + "." + (i & 255) + ".0/24"
                            : "2001:db8:" + Integer.toHexString(i) + "::/48");
            return new Vrp(prefix, prefix.length() + i % 8, asn);
        });
        String json = vrps.map(
                        vrp -> "{\"prefix\":\"%s\",\"maxLength\":%d,\"asn\":%s,\"ta\":\"test\",\"expires\":4000000000}"
                                .formatted(vrp.prefix(), vrp.maxLength(), Integer.toUnsignedString(vrp.asn())))
                .collect(Collectors.joining(",\n", "{\"metadata\":{},\"roas\":[", "]}"));
        Path whole = file.resolveSibling("next.json");
        Files.writeString(whole, json);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void awaitSame(RtrVrps station, Path file) throws IOException {
        List<Vrp> expected = VrpFile.read(file).vrps().toList();
        assertThat(expected).hasSize(COUNT);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.table().toList().equals(expected))
                        .as("the VRPs of the station and of the file are the same")
                        .isTrue());
    }

    private static RtrVrps station(int port) {
        return new RtrVrps(new RtrSettings(
                List.of(new HostPort("127.0.0.1", port)),
                Optional.empty(),
                LIMIT,
                Duration.ZERO,
                Duration.ofMillis(200)));
    }

    private static double serial(SimpleMeterRegistry meters) {
        return meters.get("silkroute.rpki.rtr.serial").gauge().value();
    }

    /** StayRTR counts from 0 and remembers three changes. The relay makes its numbers wrap around with the third. */
    @Test
    void serialNumbersWrapAroundAndChangesThatTheCacheHasForgottenAreAReset() throws Exception {
        Path file = folder.resolve("vrps.json");
        int port = Ports.reserve(Ports.LOOPBACK);
        int relayed = Ports.reserve(Ports.LOOPBACK);
        write(file, 0);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Process cache = stayRtr(1, port, file);
        try (RtrRelay relay = new RtrRelay(relayed, port, -2);
                RtrVrps station = station(relayed);
                RtrVrps direct = station(port)) {
            station.start(meters);
            direct.start(new SimpleMeterRegistry());
            awaitSame(station, file);
            assertThat(serial(meters)).isEqualTo(4_294_967_294.0);
            write(file, 1);
            awaitSame(station, file);
            assertThat(serial(meters)).isEqualTo(4_294_967_295.0);
            write(file, 2);
            awaitSame(station, file);
            assertThat(serial(meters)).as("after 2^32 - 1").isZero();
            write(file, 3);
            awaitSame(station, file);
            assertThat(serial(meters)).isEqualTo(1);
            assertThat(relay.received(RtrRelay.CACHE_RESET)).isZero();

            relay.disconnect();
            for (int generation = 4; generation < 10; generation++) {
                write(file, generation);
                awaitSame(direct, file);
            }
            relay.connect();
            awaitSame(station, file);
            assertThat(relay.received(RtrRelay.CACHE_RESET)).isEqualTo(1);
            assertThat(serial(meters)).isEqualTo(7);
            assertThat(meters.find("silkroute.rpki.rtr.errors").counters())
                    .as("neither side has reported an error")
                    .isEmpty();
        } finally {
            cache.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void theVrpsAreThoseOfTheFileAlsoAfterChangesAndRestarts(int version) throws Exception {
        Path file = folder.resolve("vrps.json");
        int port = Ports.reserve(Ports.LOOPBACK);
        write(file, 0);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Process cache = stayRtr(version, port, file);
        try (RtrVrps station = station(port)) {
            station.start(meters);
            awaitSame(station, file);

            write(file, 1); // a Serial Notify follows, and the station queries the changes
            awaitSame(station, file);
            assertThat(serial(meters)).isEqualTo(1);

            cache.destroy();
            cache.waitFor();
            assertThat(station.table().size()).as("while the cache is down").isEqualTo(COUNT);
            write(file, 2);
            cache = stayRtr(version, port, file);
            awaitSame(station, file);
            // StayRTR reports that it does not have the earlier session, or only closes the connection
            assertThat(meters.find("silkroute.rpki.rtr.errors")
                            .tag("direction", "sent")
                            .counters())
                    .isEmpty();
        } finally {
            cache.destroy();
        }
    }
}
