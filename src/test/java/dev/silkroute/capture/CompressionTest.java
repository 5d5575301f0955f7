package dev.silkroute.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Captures inside gzip and bzip2: the same bytes, and the same honesty where they end too early. */
class CompressionTest {
    private static final byte[] STREAM = Bmp.stream(2000, 8);

    @TempDir
    Path folder;

    private static byte[] pack(Compression compression, byte[] bytes) throws IOException {
        if (compression == Compression.GZIP) {
            return PcapBuilder.gzip(bytes);
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        // Blocks of 100 kB: several of them.
        try (OutputStream bzip2 = new BZip2CompressorOutputStream(packed, 1)) {
            bzip2.write(bytes);
        }
        return packed.toByteArray();
    }

    private Replayed replay(byte[] file) throws CaptureException {
        return Replayed.session(PcapBuilder.write(folder.resolve("a"), file), 0);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void isSeenThrough(Compression compression) throws Exception {
        Replayed session = replay(pack(compression, STREAM));

        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void severalFilesInOneAreOne(Compression compression) throws Exception {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(pack(compression, Arrays.copyOf(STREAM, 999)));
        both.writeBytes(pack(compression, Arrays.copyOfRange(STREAM, 999, STREAM.length)));

        Replayed session = replay(both.toByteArray());

        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void truncatedIsReplayedUpToThatPlace(Compression compression) throws Exception {
        byte[] packed = pack(compression, STREAM);

        Replayed session = replay(Arrays.copyOf(packed, packed.length / 2));

        assertThat(session.bytes.length).isGreaterThan(10_000);
        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, session.bytes.length));
        assertThat(session.failure.offset()).isEqualTo(session.bytes.length);
        assertThat(session.failure.reason()).isEqualTo("truncated: the " + compression.text() + " data ends too early");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void truncatedAtItsStartIsRefused(Compression compression) throws Exception {
        byte[] packed = pack(compression, STREAM);
        for (int length = Compression.MAGIC; length < 16; length++) {
            Path file = PcapBuilder.write(folder.resolve("a"), Arrays.copyOf(packed, length));

            assertThatExceptionOfType(CaptureException.class)
                    .isThrownBy(() -> CaptureFile.open(file).survey())
                    .withMessageContaining("offset 0: ");
        }
    }

    @Test
    void damagedIsSaid() throws Exception {
        byte[] packed = pack(Compression.BZIP2, STREAM);
        packed[packed.length / 2] ^= 1;

        Replayed session = replay(packed);

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, session.bytes.length));
        assertThat(session.failure.reason()).startsWith("damaged bzip2 data");
    }

    @Test
    void lettersThatOnlyBeginLikeBzip2() {
        Path file = PcapBuilder.write(folder.resolve("a"), "BZhou, a letter".getBytes(StandardCharsets.UTF_8));

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> CaptureFile.open(file))
                .withMessageContaining("is not a capture");
    }
}
