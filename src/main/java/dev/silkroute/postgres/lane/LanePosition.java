package dev.silkroute.postgres.lane;

import java.util.UUID;

/**
 * Where a record lies in its topic, and what its reader had read right before it. By that a gap that Kafka has made (records
 * that are past their retention) can be told from one that the reader has made.
 *
 * @param topicId of this topic, not of one that had the name before; {@link #UNKNOWN_TOPIC} if it could not be found out
 * @param follows the offset at which the reader stood before this record; {@link #UNKNOWN} or {@link #WENT_BACK}
 * @param newest a timestamp, milliseconds since 1970, that neither the record nor any before it has a later one than; {@link #NO_TIME} if none is known
 */
public record LanePosition(String topic, UUID topicId, int partition, long offset, long follows, long newest) {
    /** The reader's first record, and where it began to read was Kafka's choice. */
    public static final long UNKNOWN = -1;

    /** The reader had been further already: this may be another topic, or one that lost its end. */
    public static final long WENT_BACK = -2;

    public static final UUID UNKNOWN_TOPIC = new UUID(0, 0);

    /** Earlier than any. */
    public static final long NO_TIME = -1;

    public LanePosition(String topic, UUID topicId, int partition, long offset, long follows) {
        this(topic, topicId, partition, offset, follows, NO_TIME);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
