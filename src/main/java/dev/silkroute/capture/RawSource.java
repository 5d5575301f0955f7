package dev.silkroute.capture;

import java.nio.file.Path;
import java.util.List;

/** A raw BMP stream: one session, every byte of it, whatever is in it. No times. */
record RawSource(Path file) implements SessionSource {
    @Override
    public Survey survey() throws CaptureException {
        BmpMessageCounter counter = new BmpMessageCounter();
        long bytes = 0;
        CaptureException failure = null;
        try (RawReader reader = new RawReader(CaptureInput.open(file))) {
            while (reader.next()) {
                counter.add(reader.bytes(), reader.from(), reader.to());
                bytes += reader.to() - reader.from();
            }
            if (!counter.atBoundary() && !counter.lost()) {
                failure = new CaptureException(
                        file, bytes, "truncated: the last BMP message lacks " + counter.missing() + " bytes or more");
            }
        } catch (CaptureException e) {
            failure = e;
        }
        if (bytes == 0 && failure != null) {
            throw failure;
        }
        CaptureSession session =
                new CaptureSession(0, "raw BMP stream", null, 0, 0, bytes, counter.messages(), 0, failure);
        return new Survey(List.of(session), false, List.of(), failure);
    }

    @Override
    public SessionReader read(CaptureSession session) throws CaptureException {
        return new RawReader(CaptureInput.open(file));
    }
}
