package dev.silkroute.component.bmp;

import java.time.Duration;

/**
 * Bounds of one BMP session, sizes in bytes.
 *
 * @param frame longest BMP message taken; a longer one ends the session
 * @param session bytes read and not yet acknowledged by Kafka, above which reading pauses
 * @param batch bytes after which an exchange is sent off although an earlier one is still under way
 * @param silence how long a message may stay incomplete without a further byte; between messages a session may be silent for ever
 */
public record SessionLimits(int frame, int session, int batch, Duration silence) {
    public SessionLimits {
        if (frame < 6 || session < frame || batch < 1) {
            throw new IllegalArgumentException(
                    "a session of " + session + " bytes can't hold a message of " + frame + " bytes");
        }
        if (!silence.isPositive()) {
            throw new IllegalArgumentException("a message can't be whole within " + silence);
        }
    }
}
