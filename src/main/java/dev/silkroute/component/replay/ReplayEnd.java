package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureSession;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The result of the replay of one session.
 *
 * @param bytes the bytes sent in all passes
 * @param messages the complete BMP messages among them
 * @param failure the error of the capture (CaptureException) or of the route that ended the replay early, or null
 * @param stopped whether the replay was stopped before its end
 */
public record ReplayEnd(
        Path file,
        CaptureSession session,
        long bytes,
        long messages,
        @Nullable Throwable failure,
        boolean stopped) {}
