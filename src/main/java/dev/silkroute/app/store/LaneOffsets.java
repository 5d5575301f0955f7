package dev.silkroute.app.store;

import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.jspecify.annotations.Nullable;

/**
 * Commits a batching Kafka consumer at least once, over every partition of the batch.
 *
 * <p>camel-kafka gives a batch the commit of its last record, and the stock one commits that record's partition only. It
 * asks this factory for one per record, in their order and right before they join the batch; so whatever has been asked
 * for when a route commits is exactly what the batch and those before it hold. The route commits as its last step, after
 * the records are stored. With this factory camel-kafka itself never commits (NoopCommitManager): a batch that failed for
 * good makes it reconnect ({@code breakOnFirstError}) and read on from the last commit.
 */
@Singleton
@Named("laneOffsets")
public class LaneOffsets implements KafkaManualCommitFactory {
    /** A consumer has its thread to itself, also after a reconnect. */
    private final ThreadLocal<@Nullable LanePositions> positions = new ThreadLocal<>();

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload polled, CommitManager commitManager) {
        LanePositions current = positions.get();
        if (current == null || !current.isOf(payload.consumer)) {
            current = new LanePositions(payload.consumer, current);
            positions.set(current);
        }
        return current.polled(polled.partition, polled.recordOffset, polled.commitTimeout);
    }

    /** The last step of a lane: everything up to the end of this batch is stored. */
    public void commit(Exchange batch) {
        KafkaManualCommit position =
                batch.getMessage().getHeader(KafkaConstants.MANUAL_COMMIT, KafkaManualCommit.class);
        if (position != null) {
            position.commit();
        }
    }
}
