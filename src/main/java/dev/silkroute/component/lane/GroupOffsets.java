package dev.silkroute.component.lane;

import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Commits a batching Kafka consumer at least once, over every partition of the batch: for routes that pass records on to where
 * no transaction is.
 *
 * <p>camel-kafka gives a batch the commit of its last record, and the stock one commits that record's partition only. It
 * asks this factory for one per record, in their order and right before they join the batch; so whatever has been asked
 * for when a route commits is exactly what the batch and those before it hold. The route commits as its last step. With this
 * factory camel-kafka itself never commits (NoopCommitManager): a batch that failed for good makes it reconnect
 * ({@code breakOnFirstError}) and read on from the last commit.
 */
@Singleton
@Named("laneOffsets")
public class GroupOffsets implements KafkaManualCommitFactory {
    private static final Logger LOGGER = Logger.getLogger(GroupOffsets.class);

    /** A consumer has its thread to itself; after a reconnect another has it, which knows nothing of what failed before. */
    private final ThreadLocal<@Nullable Polled> polled = new ThreadLocal<>();

    /** What a consumer has handed out since its last commit: the offset of the next record by partition. */
    private record Polled(Consumer<?, ?> consumer, Map<TopicPartition, OffsetAndMetadata> next) {}

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload record, CommitManager commitManager) {
        Polled current = polled.get();
        if (current == null || current.consumer != payload.consumer) {
            current = new Polled(payload.consumer, new HashMap<>());
            polled.set(current);
        }
        Polled batch = current;
        batch.next.put(record.partition, new OffsetAndMetadata(record.recordOffset + 1));
        return () -> commit(batch, Duration.ofMillis(record.commitTimeout));
    }

    /** What can't be committed now is with the next commit; what has gone to another consumer is that one's. */
    private static void commit(Polled batch, Duration limit) {
        batch.next.keySet().retainAll(batch.consumer.assignment());
        if (!batch.next.isEmpty()) {
            try {
                batch.consumer.commitSync(batch.next, limit);
                batch.next.clear();
            } catch (KafkaException e) {
                LOGGER.warnf("Could not commit, the next batch will: %s", e.toString());
            }
        }
    }

    /** The last step of a route: everything up to the end of this batch is where it belongs. */
    public void commit(Exchange batch) {
        KafkaManualCommit position =
                batch.getMessage().getHeader(KafkaConstants.MANUAL_COMMIT, KafkaManualCommit.class);
        if (position != null) {
            position.commit();
        }
    }
}
