package dev.silkroute.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over a capture found.
 *
 * @param sessions in the order in which they begin; never empty
 * @param timed whether the capture says when its bytes were seen
 * @param notes what was left out of it, a line each
 * @param failure why the file could not be read to its end; null when it could
 */
public record Survey(
        List<CaptureSession> sessions,
        boolean timed,
        List<String> notes,
        @Nullable CaptureException failure) {
    public Survey {
        sessions = List.copyOf(sessions);
        notes = List.copyOf(notes);
    }

    /** Time of the first BMP byte of all sessions, nanoseconds since 1970. */
    public long startNanos() {
        return sessions.stream().mapToLong(CaptureSession::startNanos).min().orElse(0);
    }
}
