package dev.silkroute.capture;

import java.nio.file.Path;

/** Sessions of a packet capture, TCP put together again. */
final class PacketSource implements SessionSource {
    /** How a packet format is opened. */
    interface Format {
        PacketReader open(CaptureInput input) throws CaptureException;
    }

    private final Path file;
    private final Format format;
    private final ReassemblyLimit limit = new ReassemblyLimit();

    PacketSource(Path file, Format format) {
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
            return format.open(input);
        } catch (CaptureException e) {
            input.close();
            throw e;
        }
    }
}
