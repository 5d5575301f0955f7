package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.Positioned;
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

/** Where a polled record lies, and a way to tell Kafka that it is stored. */
final class RecordPosition implements KafkaManualCommit, Positioned {
    private static final Logger LOGGER = LoggerFactory.getLogger(RecordPosition.class);

    private final LanePosition position;
    private final Consumer<?, ?> consumer;
    private final DatabaseOffsets lane;

    RecordPosition(LanePosition position, Consumer<?, ?> consumer, DatabaseOffsets lane) {
        this.position = position;
        this.consumer = consumer;
        this.lane = lane;
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
     * Commits in Kafka for those who look there. The lane's place is the table's: this may fail, be late or never happen,
     * and nobody waits for it.
     */
    @Override
    public void stored(List<? extends Positioned> batch) {
        lane.stored();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (Positioned record : batch) {
            LanePosition at = record.position();
            next.put(new TopicPartition(at.topic(), at.partition()), new OffsetAndMetadata(at.offset() + 1));
        }
        try {
            next.keySet().retainAll(consumer.assignment());
            if (!next.isEmpty()) {
                consumer.commitAsync(next, (offsets, problem) -> note(offsets, problem));
            }
        } catch (KafkaException | IllegalStateException | ConcurrentModificationException e) {
            note(next, e);
        }
    }

    private static void note(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable Exception problem) {
        if (problem != null) {
            LOGGER.debug("Kafka could not note {}: {}", offsets, problem.toString());
        }
    }
}
