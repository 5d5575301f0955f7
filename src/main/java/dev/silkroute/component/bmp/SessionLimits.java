package dev.silkroute.component.bmp;

/**
 * Bounds of one BMP session, all in bytes.
 *
 * @param frame longest BMP message taken; a longer one ends the session
 * @param session bytes read and not yet acknowledged by Kafka, above which reading pauses
 * @param batch bytes after which an exchange is sent off although an earlier one is still under way
 */
public record SessionLimits(int frame, int session, int batch) {
    public SessionLimits {
        if (frame < 6 || session < frame || batch < 1) {
            throw new IllegalArgumentException(
                    "a session of " + session + " bytes can't hold a message of " + frame + " bytes");
        }
    }
}
