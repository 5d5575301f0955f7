package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.station.Finding.Result;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.TestConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of {@code doctor} without servers. */
class StationChecksTest {
    @TempDir
    Path folder;

    private List<Finding> findings(Clock clock, Object... keysAndValues) {
        List<Object> all = new ArrayList<>(List.of(
                "silkroute.data-dir", folder.resolve("data"), "silkroute.bmp-port", 0, "silkroute.http-port", 0));
        all.addAll(List.of(keysAndValues));
        return new StationChecks(TestConfig.of(all.toArray()), clock).findings();
    }

    private Finding finding(String check, Object... keysAndValues) {
        return find(check, findings(Clock.systemUTC(), keysAndValues));
    }

    private static Finding find(String check, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNewSetUpHasNoFailureAndIsUnchanged() {
        assertThat(findings(Clock.systemUTC()))
                .extracting(Finding::result)
                .isNotEmpty()
                .doesNotContain(Result.FAILED);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aPortInUseIsAFailure() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(finding("HTTP port", "silkroute.http-port", used.getLocalPort()))
                    .isEqualTo(Finding.failed("HTTP port", "port " + used.getLocalPort() + " is in use"));
        }
    }

    @Test
    void aDirectoryOfAnotherProgramIsAFailure() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("letter.txt"), "Dear …");
        assertThat(finding("data directory"))
                .isEqualTo(Finding.failed(
                        "data directory",
                        "the data directory " + data
                                + " contains files of other programs: use an empty or new --data-dir"));
    }

    @Test
    void lackOfSpaceIsAFailure() {
        assertThat(finding("data directory", "silkroute.min-free-space", "1000000G")
                        .detail())
                .endsWith("required (silkroute.min-free-space)");
    }

    @Test
    void aCertificateThatExpiresSoonIsAWarningAndAnExpiredOneAFailure() throws Exception {
        // Given: a certificate that is valid for two days
        KeyFiles keys = KeyFiles.make(folder, "station");
        Path key = keys.keyAsPem();
        Object[] tls = {
            "silkroute.bmp-tls.certificate", keys.certificate(), "silkroute.bmp-tls.key", key,
            "silkroute.http.tls.certificate", keys.certificate(), "silkroute.http.tls.key", key
        };
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(3));
        for (String check : List.of("TLS for BMP", "HTTPS")) {
            // When, then
            assertThat(find(check, findings(Clock.systemUTC(), tls)).result()).isEqualTo(Result.WARNING);
            Finding expired = find(check, findings(later, tls));
            assertThat(expired.result()).isEqualTo(Result.FAILED);
            assertThat(expired.detail()).startsWith("certificate of CN=station valid until ");
        }
    }

    @Test
    void serversThatCannotBeReachedAreFailures() {
        List<Finding> findings = findings(
                Clock.systemUTC(),
                "silkroute.kafka-bootstrap",
                "127.0.0.1:1",
                "silkroute.jdbc-url",
                "jdbc:postgresql://127.0.0.1:1/silkroute?user=silkroute&password=secret");
        assertThat(find("Kafka", findings).result()).isEqualTo(Result.FAILED);
        assertThat(find("PostgreSQL", findings).result()).isEqualTo(Result.FAILED);
        assertThat(findings).extracting(Finding::detail).noneMatch(detail -> detail.contains("secret"));
    }

    @Test
    void aMissingRoutesDirectoryIsAFailure() {
        assertThat(finding("routes", "silkroute.routes-dir", folder.resolve("none"))
                        .result())
                .isEqualTo(Result.FAILED);
    }
}
