package dev.silkroute.collector.transport;

import dev.silkroute.bmp.BmpMessages;
import java.time.Duration;

/**
 * Bounds of one BMP session. Sizes are in bytes.
 *
 * @param frame longest BMP message accepted; a longer one ends the session
 * @param session bytes read and not yet acknowledged by Kafka above which reading pauses
 * @param batch size from which a batch is sent although others are unacknowledged
 * @param batchMessages maximum number of messages in a batch
 * @param silence how long a message may stay incomplete without a further byte; between messages a session may be
 *     silent for ever
 * @param tableCheck interval at which a silent session checks whether its tables count as complete
 */
public record SessionLimits(
        int frame, int session, int batch, int batchMessages, Duration silence, Duration tableCheck) {
    private static final int DEFAULT_BATCH_MESSAGES = 16_384;
    private static final Duration DEFAULT_TABLE_CHECK = Duration.ofSeconds(15);

    /** Bytes that one byte of a router's text may become in JSON: a control character is escaped as six characters. */
    private static final int MAX_ESCAPED = 6;

    /** Bytes of a JSON record beside the router's text, with the field names of all TLVs. */
    private static final int RECORD_OVERHEAD = 512 << 10;

    public SessionLimits {
        if (frame < BmpMessages.COMMON_HEADER_LENGTH || session < frame || batch < 1 || batchMessages < 1) {
            throw new IllegalArgumentException(
                    "a session of " + session + " bytes cannot hold a message of " + frame + " bytes");
        }
        if (!silence.isPositive()) {
            throw new IllegalArgumentException(
                    "the time-out of incomplete messages must be positive, it is " + silence);
        }
    }

    public SessionLimits(int frame, int session, int batch, Duration silence) {
        this(frame, session, batch, DEFAULT_BATCH_MESSAGES, silence, DEFAULT_TABLE_CHECK);
    }

    /**
     * Returns the longest message, and the largest batch, none of whose records can exceed a size. A record that Kafka
     * does not accept would be sent again and again, and its session would wait for ever.
     *
     * @param recordBytes largest Kafka record in bytes
     */
    public static int maxMessageBytes(int recordBytes) {
        return (recordBytes - RECORD_OVERHEAD) / MAX_ESCAPED;
    }
}
