package dev.silkroute.component.lane;

import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.camel.spi.StateRepository;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Connects an {@link OffsetStore} with camel-kafka, which calls an {@code offsetRepository} for each assigned partition
 * and a {@code kafkaManualCommitFactory} for each record it has read.
 */
final class StoredOffsets extends ServiceSupport implements StateRepository<String, String>, KafkaManualCommitFactory {
    /** A record without a timestamp. */
    private static final long NO_TIMESTAMP = -1;

    private final OffsetStore store;

    StoredOffsets(OffsetStore store) {
        this.store = store;
    }

    /** Parses camel-kafka's key of a partition, {@code topic/number}. */
    static TopicPartition partition(String key) {
        int slash = key.lastIndexOf('/');
        return new TopicPartition(key.substring(0, slash), Integer.parseInt(key.substring(slash + 1)));
    }

    /**
     * Returns the timestamp of the record that an exchange was made from, in milliseconds since 1970; -1 if it has
     * none.
     */
    static long timestamp(CamelExchangePayload payload) {
        return payload.exchange.getMessage().getHeader(KafkaConstants.TIMESTAMP, NO_TIMESTAMP, Long.class);
    }

    /** Returns the offset before the next one to read, because camel-kafka adds one; null if there is none. */
    @Override
    public @Nullable String getState(String key) {
        var next = store.nextOffset(partition(key));
        return next.isPresent() ? Long.toString(next.getAsLong() - 1) : null;
    }

    @Override
    public void setState(String key, String value) {
        // The code that processes the records updates the store.
    }

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload record, CommitManager commitManager) {
        store.onRead(record.partition, record.recordOffset, timestamp(payload));
        return () -> {};
    }
}
