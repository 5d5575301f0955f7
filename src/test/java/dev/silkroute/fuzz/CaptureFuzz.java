package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.capture.BmpMessageCounter;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.capture.Survey;
import dev.silkroute.capture.packet.PacketFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Fuzzes captures: pcap and raw BMP, also compressed with gzip. */
class CaptureFuzz {
    @TempDir
    private static Path folder;

    /** Input: a file. A session returns what the survey found, or fails with a reason. */
    @FuzzTest(maxDuration = "3m")
    void file(byte[] input) {
        Path file = folder.resolve("capture");
        try {
            Files.write(file, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CaptureFile capture;
        Survey survey;
        try {
            capture = CaptureFile.open(file, PacketFormat.AND_RAW);
            survey = capture.survey();
        } catch (CaptureException e) {
            assertThat(e.reason()).isNotEmpty();
            assertThat(e.offset()).isNotNegative();
            return;
        }
        assertThat(survey.sessions()).isNotEmpty();
        for (CaptureSession session : survey.sessions()) {
            read(capture, session);
        }
    }

    private static void read(CaptureFile capture, CaptureSession session) {
        BmpMessageCounter counter = new BmpMessageCounter();
        long bytes = 0;
        boolean failed = false;
        try (SessionReader reader = capture.read(session)) {
            while (reader.next()) {
                assertThat(reader.to()).isBetween(reader.from() + 1, reader.bytes().length);
                bytes += reader.to() - reader.from();
                counter.add(reader.bytes(), reader.from(), reader.to());
            }
        } catch (CaptureException e) {
            failed = true;
        }
        assertThat(bytes).isEqualTo(session.bytes());
        assertThat(counter.messages()).isEqualTo(session.messages());
        assertThat(failed).isEqualTo(session.failure() != null);
    }
}
