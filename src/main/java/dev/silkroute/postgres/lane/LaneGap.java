package dev.silkroute.postgres.lane;

import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records of a partition that Kafka has removed before a lane has read them.
 *
 * @param from the offset of the first of them
 * @param to the offset of the first record that is left
 * @param partitionOf returns the partition of the topic that has the records with a key; null if unknown
 */
public record LaneGap(
        String topic,
        int partition,
        long from,
        long to,
        @Nullable ToIntFunction<String> partitionOf) {
    long records() {
        return to - from;
    }

    /** Returns whether records with this key may have been among them. */
    public boolean mayContain(String key) {
        return partitionOf == null || partitionOf.applyAsInt(key) == partition;
    }

    @Override
    public String toString() {
        return topic + "-" + partition + " from offset " + from + " to " + (to - 1);
    }
}
