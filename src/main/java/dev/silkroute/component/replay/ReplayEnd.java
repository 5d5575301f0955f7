package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureSession;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the replay of one session ended.
 *
 * @param bytes sent in all passes
 * @param messages whole BMP messages among them
 * @param failure what ended it early: the capture (CaptureException) or the route; null when all was sent or it was
 *     stopped
 * @param stopped whether it was stopped from outside before its end
 */
public record ReplayEnd(
        Path file,
        CaptureSession session,
        long bytes,
        long messages,
        @Nullable Throwable failure,
        boolean stopped) {}
