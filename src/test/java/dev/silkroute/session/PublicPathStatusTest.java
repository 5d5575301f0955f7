package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.endtoend.PublicCaptures;
import dev.silkroute.fixture.ParsedRecords;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Another project's capture of a router that uses version 4. */
class PublicPathStatusTest {
    @Test
    void aRoutersPathMarkingsAreRead() throws IOException {
        // Given
        Path file = PublicCaptures.folder().resolve("path-status__ipv4_unicast_path_marking.0.bmp.gz");
        byte[] stream;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            stream = in.readAllBytes();
        }

        // When
        DecodedBatch decoded = Messages.session().decode(stream, 0, 1, null);

        // Then: the router defines a group of both routes and then marks only the first one by its number
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(Messages.routes(decoded))
                .containsExactly(
                        "+ 111.1.1.1/32 [best, primary, add-path]",
                        "+ 111.1.1.2/32",
                        "+ 112.1.1.1/32 [best, primary, add-path]");
        assertThat(decoded.messages(0)).isEqualTo(3);
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS))
                .filteredOn(record -> "peer-down".equals(record.get("event")))
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("reason_code", 6)
                        .containsEntry("table_name", "global")
                        .containsEntry("known", false));
        assertThat(decoded.anomalies(Anomaly.IGNORED_TLV)).isZero();
        assertThat(decoded.anomalies(Anomaly.UNKNOWN_TLV)).isZero();
    }
}
