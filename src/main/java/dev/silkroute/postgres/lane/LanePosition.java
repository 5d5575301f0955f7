package dev.silkroute.postgres.lane;

import java.util.UUID;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The position of a record in its topic, and the offset that its reader had reached before it. From that, a gap made by
 * Kafka (records past their retention) can be distinguished from one made by the reader.
 *
 * @param topicId the id of the topic, which a new topic of the same name does not share; {@link #UNKNOWN_TOPIC} if
 *     unknown
 * @param follows the offset that the reader had reached before this record; {@link #UNKNOWN} or {@link #WENT_BACK}
 * @param newest the latest timestamp of this record and those before it, milliseconds since 1970; {@link #NO_TIME} if
 *     unknown
 * @param partitionOf returns the partition of the topic that has the records with a key; null if unknown
 */
public record LanePosition(
        String topic,
        UUID topicId,
        int partition,
        long offset,
        long follows,
        long newest,
        @Nullable ToIntFunction<String> partitionOf) {
    /** The reader's first record; Kafka chose its offset. */
    public static final long UNKNOWN = -1;

    /** The reader had been at a higher offset: the topic may be another one, or may have lost its end. */
    public static final long WENT_BACK = -2;

    public static final UUID UNKNOWN_TOPIC = new UUID(0, 0);

    /** Earlier than any timestamp. */
    public static final long NO_TIME = -1;

    public LanePosition(String topic, UUID topicId, int partition, long offset, long follows) {
        this(topic, topicId, partition, offset, follows, NO_TIME, null);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
