package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.capture.SessionSource;
import dev.silkroute.capture.Survey;
import java.nio.file.Path;

/** The BMP sessions of a packet capture. Sessions that are read at the same time share one {@link ReassemblyLimit}. */
final class PacketSource implements SessionSource {
    private final Path file;
    private final PacketFormat format;
    private final ReassemblyLimit limit = new ReassemblyLimit();

    PacketSource(Path file, PacketFormat format) {
        this.file = file;
        this.format = format;
    }

    @Override
    public Survey survey() throws CaptureException {
        PacketSurvey survey = new PacketSurvey(file, limit);
        try (PacketReader packets = open()) {
            survey.read(packets);
        }
        return survey.result();
    }

    @Override
    public SessionReader read(CaptureSession session) throws CaptureException {
        return new PacketSessionReader(file, open(), session, limit);
    }

    private PacketReader open() throws CaptureException {
        CaptureInput input = CaptureInput.open(file);
        try {
            return format.reader(input);
        } catch (CaptureException e) {
            input.close();
            throw e;
        }
    }
}
