package dev.silkroute.component.lane;

import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps the offsets of a lane outside Kafka: {@code lane:topic?offsets=#bean}. Each consumer of the lane calls it on
 * its own thread.
 */
public interface OffsetStore {
    /**
     * Called when a partition is assigned to a consumer, which then reads on from the returned offset.
     *
     * @return the offset of the next record, or empty to continue at the consumer group's committed offset or, if it
     *     has none, at the beginning of the partition
     * @throws IllegalStateException if the lane cannot be read now: the consumer reconnects and calls this again
     */
    OptionalLong nextOffset(TopicPartition partition);

    /**
     * Called for each record in the order in which a consumer reads them, before their batch goes to the route.
     *
     * @param timestamp of the record, in milliseconds since 1970
     * @throws IllegalStateException if the record cannot be processed at this point: the consumer drops the batch,
     *     reconnects and asks for {@link #nextOffset} again
     */
    void onRead(TopicPartition partition, long offset, long timestamp);
}
