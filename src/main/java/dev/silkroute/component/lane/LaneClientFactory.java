package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.Properties;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka clients of camel-kafka, of which batching consumers can be told how many bytes a batch may have, by {@code
 * additionalProperties.batchBytes}: a batch goes beyond that by {@value BatchSizeLimiter#AT_A_TIME} records at most. While one is being stored, as much
 * again is read ahead. Their {@code batchingIntervalMs} may be a quarter of a second at most, or what {@code additionalProperties.batchWithinMs} says: the less,
 * the shorter are the pauses of a route that does more than {@code batchBytes} in that time.
 */
public final class LaneClientFactory extends DefaultKafkaClientFactory {
    /** Among the properties of a consumer. */
    public static final String BATCH_BYTES = "batchBytes";

    /** Beside it: within how many milliseconds the route hands on what it has, as {@code batchingIntervalMs}. */
    public static final String BATCH_WITHIN = "batchWithinMs";

    private static final int WITHIN_MILLIS = 250;

    @Override
    @SuppressWarnings("rawtypes") // as camel-kafka has it
    public Consumer getConsumer(Properties properties) {
        // camel-kafka asks with the same ones again whenever it connects anew.
        Properties own = new Properties();
        own.putAll(properties);
        Object bytes = own.remove(BATCH_BYTES);
        Object within = own.remove(BATCH_WITHIN);
        if (bytes == null) {
            return super.getConsumer(own);
        }
        String records = String.valueOf(own.get(ConsumerConfig.MAX_POLL_RECORDS_CONFIG));
        own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(BatchSizeLimiter.AT_A_TIME));
        return new ByteBoundedConsumer<>(
                own, Integer.parseInt(records), Long.parseLong(bytes.toString()), millis(within));
    }

    private static Duration millis(@Nullable Object within) {
        return Duration.ofMillis(within == null ? WITHIN_MILLIS : Integer.parseInt(within.toString()));
    }
}
