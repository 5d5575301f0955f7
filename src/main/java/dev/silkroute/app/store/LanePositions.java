package dev.silkroute.app.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * How far one Kafka consumer has handed its records to a route, and how far the route has stored them. Offsets are those
 * of the next record. Used on the consumer's own thread only, as the consumer is.
 */
final class LanePositions {
    private static final Logger LOGGER = Logger.getLogger(LanePositions.class);

    private final Consumer<?, ?> consumer;
    private int generation;
    /** Handed out since the last commit. */
    private final Map<TopicPartition, Long> polled = new HashMap<>();
    /** Stored, and the commit failed. */
    private final Map<TopicPartition, Long> stored = new HashMap<>();
    /** Stored and not committed when the group was rebalanced: these records come again, and are not stored again. */
    private final Map<TopicPartition, Long> known = new HashMap<>();

    /** @param previous of the consumer that this one replaces after a reconnect */
    LanePositions(Consumer<?, ?> consumer, @Nullable LanePositions previous) {
        this.consumer = consumer;
        generation = consumer.groupMetadata().generationId();
        if (previous != null) {
            known.putAll(previous.known);
            known.putAll(previous.stored);
        }
    }

    boolean isOf(Consumer<?, ?> other) {
        return consumer == other;
    }

    /** Notes a record that joins the batch. */
    Position polled(TopicPartition partition, long offset, long commitTimeoutMillis) {
        int current = consumer.groupMetadata().generationId();
        if (current != generation) {
            generation = current;
            polled.clear(); // others may have them now; what is still ours comes again
            known.putAll(stored);
            stored.clear();
        }
        polled.put(partition, offset + 1);
        boolean again = offset < known.getOrDefault(partition, 0L);
        return new Position(partition, again, current, commitTimeoutMillis);
    }

    /** A record of a batch: whether to store it, and the commit of everything up to the batch's end. */
    final class Position implements KafkaManualCommit {
        private final TopicPartition partition;
        private final boolean again;
        private final int polledIn;
        private final long timeoutMillis;

        private Position(TopicPartition partition, boolean again, int polledIn, long timeoutMillis) {
            this.partition = partition;
            this.again = again;
            this.polledIn = polledIn;
            this.timeoutMillis = timeoutMillis;
        }

        /**
         * False if the record is stored already, or if the group has been rebalanced since it was polled. The consumer
         * had to give up all its partitions then (the eager protocol of RangeAssignor, camel-kafka's default), so whoever
         * has the partition now reads the record again: storing ours too could put an old state over a newer one.
         */
        boolean toStore() {
            return !again
                    && polledIn == consumer.groupMetadata().generationId()
                    && consumer.assignment().contains(partition);
        }

        /**
         * Commits every record handed out so far: all of them are stored. A commit that fails is no reason to store them
         * once more; the next commit takes them along.
         */
        @Override
        public void commit() {
            stored.putAll(polled);
            polled.clear();
            stored.keySet().retainAll(consumer.assignment());
            if (stored.isEmpty()) {
                return;
            }
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            stored.forEach((where, next) -> offsets.put(where, new OffsetAndMetadata(next)));
            try {
                consumer.commitSync(offsets, Duration.ofMillis(timeoutMillis));
                stored.clear();
                known.keySet().removeAll(offsets.keySet());
            } catch (KafkaException e) {
                LOGGER.warnf("Could not commit what is stored, the next batch will: %s", e.toString());
            }
        }
    }
}
