package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.PositionedRecord;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The position of a record of a lane with offsets in the database; in the header where camel-kafka has its commit. */
final class RecordPosition implements KafkaManualCommit, PositionedRecord {
    private static final Logger LOGGER = LoggerFactory.getLogger(RecordPosition.class);

    private final LanePosition position;
    private final Consumer<?, ?> consumer;
    private final DatabaseOffsets offsets;

    RecordPosition(LanePosition position, Consumer<?, ?> consumer, DatabaseOffsets offsets) {
        this.position = position;
        this.consumer = consumer;
        this.offsets = offsets;
    }

    @Override
    public LanePosition position() {
        return position;
    }

    @Override
    public void commit() {
        stored(List.of(this));
    }

    /**
     * Commits to Kafka without waiting, for tools that show the consumer group's lag. The lane's offsets are those in
     * the database: this commit may fail, be late or never happen.
     */
    @Override
    public void stored(List<? extends PositionedRecord> batch) {
        offsets.onStored();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (PositionedRecord record : batch) {
            LanePosition at = record.position();
            next.put(new TopicPartition(at.topic(), at.partition()), new OffsetAndMetadata(at.offset() + 1));
        }
        try {
            next.keySet().retainAll(consumer.assignment());
            if (!next.isEmpty()) {
                consumer.commitAsync(next, (committed, problem) -> log(committed, problem));
            }
        } catch (KafkaException | IllegalStateException | ConcurrentModificationException e) {
            log(next, e);
        }
    }

    private static void log(Map<TopicPartition, OffsetAndMetadata> next, @Nullable Exception problem) {
        if (problem != null) {
            LOGGER.debug("Offsets {} could not be committed to Kafka: {}", next, problem.toString());
        }
    }
}
