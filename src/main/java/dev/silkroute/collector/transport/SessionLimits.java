package dev.silkroute.collector.transport;

import java.time.Duration;

/**
 * Bounds of one BMP session, sizes in bytes.
 *
 * @param frame longest BMP message taken; a longer one ends the session
 * @param session bytes read and not yet acknowledged by Kafka, above which reading pauses
 * @param batch bytes after which an exchange is sent off although an earlier one is still under way
 * @param silence how long a message may stay incomplete without a further byte; between messages a session may be silent for ever
 * @param tableCheck how often a silent session is asked whether tables have been quiet for long enough to be through
 */
public record SessionLimits(int frame, int session, int batch, Duration silence, Duration tableCheck) {
    private static final Duration TABLE_CHECK = Duration.ofSeconds(15);

    /** What a byte of a router's text takes at most in JSON, as a control character does. */
    private static final int ESCAPED = 6;

    /** What a record has beside, names and punctuation of all TLVs included. */
    private static final int BESIDE = 512 << 10;

    public SessionLimits(int frame, int session, int batch, Duration silence) {
        this(frame, session, batch, silence, TABLE_CHECK);
    }

    /**
     * The longest message, and the largest batch, of which no record becomes larger than Kafka takes: that would be sent again and again, and
     * its session wait for ever.
     *
     * @param record bytes of the largest record
     */
    public static int most(int record) {
        return (record - BESIDE) / ESCAPED;
    }

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
