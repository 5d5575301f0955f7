package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session read to its end: its bytes, the time of each piece, and the error that ended it. */
final class ReplayedSession {
    byte[] bytes;
    CaptureException failure;
    final List<Long> times = new ArrayList<>();

    static ReplayedSession session(CaptureFile file, CaptureSession session) throws CaptureException {
        ReplayedSession replayed = new ReplayedSession();
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

    static ReplayedSession session(Path file, int index) throws CaptureException {
        CaptureFile capture = CaptureFile.open(file, PacketFormat.AND_RAW);
        return session(capture, capture.survey().sessions().get(index));
    }
}
