package dev.silkroute.capture;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session read to its end: its bytes, the time of each piece, and what stopped it. */
final class Replayed {
    byte[] bytes;
    CaptureException failure;
    final List<Long> times = new ArrayList<>();

    static Replayed session(CaptureFile file, CaptureSession session) throws CaptureException {
        Replayed replayed = new Replayed();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SessionReader reader = file.read(session)) {
            while (reader.next()) {
                out.write(reader.bytes(), reader.from(), reader.to() - reader.from());
                replayed.times.add(reader.timeNanos());
            }
        } catch (CaptureException e) {
            replayed.failure = e;
        }
        replayed.bytes = out.toByteArray();
        return replayed;
    }

    static Replayed session(Path file, int index) throws CaptureException {
        CaptureFile capture = CaptureFile.open(file);
        return session(capture, capture.survey().sessions().get(index));
    }
}
