package dev.silkroute.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions found by one pass over a capture.
 *
 * @param sessions in the order of their beginnings; never empty
 * @param timed whether the capture contains times
 * @param notes one line for each kind of content that was omitted
 * @param failure why the file could not be read to its end, or null if it could
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

    /** Returns the time of the first byte of all sessions in nanoseconds since 1970. */
    public long startNanos() {
        return sessions.stream().mapToLong(CaptureSession::startNanos).min().orElse(0);
    }
}
