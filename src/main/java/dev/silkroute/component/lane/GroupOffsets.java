package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.Processor;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the offsets of a batch to Kafka when the route has completed it, for all of its partitions. camel-kafka's own
 * commit factory commits the partition of the last record only.
 *
 * <p>camel-kafka calls {@link #newInstance} for each record in order, right before it adds the record to a batch. So
 * the offsets noted since the last commit are exactly those of the batch that the route completes, and of earlier
 * batches whose commit failed. A batch whose exchange fails is not committed: the consumer reconnects and reads it
 * again.
 */
final class GroupOffsets implements KafkaManualCommitFactory {
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupOffsets.class);

    /**
     * A consumer has a thread to itself. After a reconnect the thread has another consumer, with offsets of its own.
     */
    private final ThreadLocal<@Nullable Uncommitted> uncommitted = new ThreadLocal<>();

    /** The offset after the last record that a consumer has read since its last commit, by partition. */
    private record Uncommitted(
            Consumer<?, ?> consumer, Duration timeout, Map<TopicPartition, OffsetAndMetadata> next) {}

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload record, CommitManager commitManager) {
        Uncommitted offsets = uncommitted.get();
        if (offsets == null || offsets.consumer != payload.consumer) {
            offsets = new Uncommitted(payload.consumer, Duration.ofMillis(record.commitTimeout), new HashMap<>());
            uncommitted.set(offsets);
        }
        offsets.next.put(record.partition, new OffsetAndMetadata(record.recordOffset + 1));
        return this::commit;
    }

    /** Returns a processor that runs a route's steps, then commits unless they failed. */
    Processor committing(Processor steps) {
        return exchange -> {
            steps.process(exchange);
            if (exchange.getException() == null && !exchange.isRollbackOnly()) {
                commit();
            }
        };
    }

    /** Offsets that fail to commit are retried with the next commit; those of revoked partitions are dropped. */
    private void commit() {
        Uncommitted offsets = uncommitted.get();
        if (offsets == null) {
            return;
        }
        offsets.next.keySet().retainAll(offsets.consumer.assignment());
        if (!offsets.next.isEmpty()) {
            try {
                offsets.consumer.commitSync(offsets.next, offsets.timeout);
                offsets.next.clear();
            } catch (KafkaException e) {
                LOGGER.warn(
                        "Offsets could not be committed to Kafka; they are retried with the next batch: {}",
                        e.toString());
            }
        }
    }
}
