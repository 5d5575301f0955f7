package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests compressed captures: they yield the same bytes, and the same errors if they are truncated. */
class CompressionTest {
    private enum Format {
        GZIP,
        BZIP2;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final byte[] STREAM = BmpStreams.stream(2000, 8);

    @TempDir
    Path folder;

    private static byte[] pack(Format format, byte[] bytes) throws IOException {
        if (format == Format.GZIP) {
            return PcapBuilder.gzip(bytes);
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        // Block size 1 is 100 kB, so there are several blocks.
        try (OutputStream bzip2 = new BZip2CompressorOutputStream(packed, 1)) {
            bzip2.write(bytes);
        }
        return packed.toByteArray();
    }

    private ReplayedSession replay(byte[] file) throws CaptureException {
        return ReplayedSession.session(PcapBuilder.write(folder.resolve("a"), file), 0);
    }

    @ParameterizedTest
    @EnumSource
    void aCompressedCaptureYieldsTheSameBytes(Format format) throws Exception {
        ReplayedSession session = replay(pack(format, STREAM));

        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @EnumSource
    void concatenatedFilesAreOneCapture(Format format) throws Exception {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(pack(format, Arrays.copyOf(STREAM, 999)));
        both.writeBytes(pack(format, Arrays.copyOfRange(STREAM, 999, STREAM.length)));

        ReplayedSession session = replay(both.toByteArray());

        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @EnumSource
    void aTruncatedCaptureIsReplayedUpToTheTruncation(Format format) throws Exception {
        byte[] packed = pack(format, STREAM);

        ReplayedSession session = replay(Arrays.copyOf(packed, packed.length / 2));

        assertThat(session.bytes.length).isGreaterThan(10_000);
        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, session.bytes.length));
        assertThat(session.failure.offset()).isEqualTo(session.bytes.length);
        assertThat(session.failure.reason()).isEqualTo("truncated: the " + format.text() + " data ends too early");
    }

    @ParameterizedTest
    @EnumSource
    void aCaptureTruncatedAtItsStartIsRejected(Format format) throws Exception {
        byte[] packed = pack(format, STREAM);
        for (int length = 4; length < 16; length++) {
            Path file = PcapBuilder.write(folder.resolve("a"), Arrays.copyOf(packed, length));

            assertThatExceptionOfType(CaptureException.class)
                    .isThrownBy(
                            () -> CaptureFile.open(file, PacketFormat.AND_RAW).survey())
                    .withMessageContaining("offset 0: ");
        }
    }

    @Test
    void damageIsReported() throws Exception {
        byte[] packed = pack(Format.BZIP2, STREAM);
        packed[packed.length / 2] ^= 1;

        ReplayedSession session = replay(packed);

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, session.bytes.length));
        assertThat(session.failure.reason()).startsWith("damaged bzip2 data");
    }

    @Test
    void textThatOnlyStartsLikeBzip2IsRejected() {
        Path file = PcapBuilder.write(folder.resolve("a"), "BZhou, a letter".getBytes(StandardCharsets.UTF_8));

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> CaptureFile.open(file, PacketFormat.AND_RAW))
                .withMessageContaining("not a capture");
    }
}
