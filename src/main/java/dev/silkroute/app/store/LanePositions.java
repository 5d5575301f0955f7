package dev.silkroute.app.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * How far one Kafka consumer has handed its records to a route. Used on the consumer's own thread only, as the consumer
 * is.
 */
final class LanePositions {
    private static final Logger LOGGER = Logger.getLogger(LanePositions.class);

    private final Consumer<?, ?> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private int generation;

    LanePositions(Consumer<?, ?> consumer) {
        this.consumer = consumer;
        generation = consumer.groupMetadata().generationId();
    }

    boolean isOf(Consumer<?, ?> other) {
        return consumer == other;
    }

    /** Notes a record that joins the batch. */
    Position polled(TopicPartition partition, long offset, long commitTimeoutMillis) {
        int current = consumer.groupMetadata().generationId();
        if (current != generation) {
            uncommitted.clear(); // others may have them now; what is still ours comes again
            generation = current;
        }
        uncommitted.put(partition, new OffsetAndMetadata(offset + 1));
        return new Position(partition, current, commitTimeoutMillis);
    }

    /** A record of a batch: whether it is still ours, and the commit of everything up to the batch's end. */
    final class Position implements KafkaManualCommit {
        private final TopicPartition partition;
        private final int polledIn;
        private final long timeoutMillis;

        private Position(TopicPartition partition, int polledIn, long timeoutMillis) {
            this.partition = partition;
            this.polledIn = polledIn;
            this.timeoutMillis = timeoutMillis;
        }

        /**
         * False if the group has been rebalanced since the record was polled. The consumer had to give up all its
         * partitions then (the eager protocol of RangeAssignor, camel-kafka's default), so whoever has the partition now
         * reads the record again: using ours too could put an old state over a newer one.
         */
        boolean ours() {
            return polledIn == consumer.groupMetadata().generationId()
                    && consumer.assignment().contains(partition);
        }

        /**
         * Commits every record handed out so far. A commit that fails is no reason to store the records once more: they
         * stay uncommitted, and the next commit takes them along.
         */
        @Override
        public void commit() {
            uncommitted.keySet().retainAll(consumer.assignment());
            if (uncommitted.isEmpty()) {
                return;
            }
            try {
                consumer.commitSync(Map.copyOf(uncommitted), Duration.ofMillis(timeoutMillis));
                uncommitted.clear();
            } catch (CommitFailedException e) {
                LOGGER.warnf("Lost the partitions before the commit, their records come again: %s", e.getMessage());
                uncommitted.clear();
            } catch (KafkaException e) {
                LOGGER.warnf("Could not commit, the next batch will: %s", e.toString());
            }
        }
    }
}
