package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.endtoend.PublicCaptures;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the sessions of real captures with the streams that another program extracted from them. */
class KnownCapturesTest {
    @Test
    void theFrrCaptureMatchesByteForByte() throws Exception {
        CaptureFile file = CaptureFile.open(resource("frr-all.pcap.gz"), PacketFormat.AND_RAW);

        assertThat(file.survey().sessions()).hasSize(1);
        assertThat(file.survey().failure()).isNull();
        ReplayedSession session =
                ReplayedSession.session(file, file.survey().sessions().getFirst());
        assertThat(session.failure).isNull();
        assertSame(session.bytes, gunzip(resource("frr-all.bmp.gz")));
    }

    @ParameterizedTest
    @CsvSource({
        "200-BMP-HUAWEI-locrib_instance, 200-BMP-HUAWEI-locrib_instance__traffic-00",
        "205-BMP-6wind-FRR-peer_down, 205-BMP-6wind-FRR-peer_down__traffic-00",
        "206-BMP-high-availability, 206-BMP-high-availability__traffic-00",
        "peers-with-different-caps, peers-with-different-caps__example",
        "upa, unreachable-prefix-announcement__upa"
    })
    void publicCapturesMatchByteForByte(String pcap, String stream) throws Exception {
        Path folder = PublicCaptures.folder();
        CaptureFile file = CaptureFile.open(folder.resolve("pcap").resolve(pcap + ".pcap.gz"), PacketFormat.AND_RAW);
        Map<Integer, byte[]> sessions = new TreeMap<>();
        for (CaptureSession session : file.survey().sessions()) {
            ReplayedSession replayed = ReplayedSession.session(file, session);
            assertThat(replayed.failure).isNull();
            sessions.put(session.index(), replayed.bytes);
        }

        Map<Integer, byte[]> expected = new TreeMap<>();
        for (int i = 0; Files.exists(folder.resolve(stream + "." + i + ".bmp.gz")); i++) {
            expected.put(i, gunzip(folder.resolve(stream + "." + i + ".bmp.gz")));
        }
        assertThat(expected).isNotEmpty();
        assertThat(sessions).hasSameSizeAs(expected);
        expected.forEach((index, bytes) -> assertSame(sessions.get(index), bytes));
    }

    private static void assertSame(byte[] actual, byte[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        assertThat(Arrays.mismatch(actual, expected))
                .as("first byte that differs")
                .isEqualTo(-1);
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(KnownCapturesTest.class.getResource("/captures/" + name).toURI());
    }

    private static byte[] gunzip(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }
}
