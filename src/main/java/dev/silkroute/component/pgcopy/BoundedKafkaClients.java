package dev.silkroute.component.pgcopy;

import java.util.Properties;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * The Kafka clients of camel-kafka, of which batching consumers can be told how many bytes a batch may have, by {@code
 * additionalProperties.batchBytes}: a batch goes beyond that by {@value BoundedPolls#AT_A_TIME} records at most. While one is being stored, as much
 * again is read ahead. Their {@code batchingIntervalMs} may be a quarter of a second at most.
 */
public final class BoundedKafkaClients extends DefaultKafkaClientFactory {
    /** Among the properties of a consumer. */
    public static final String BATCH_BYTES = "batchBytes";

    @Override
    @SuppressWarnings("rawtypes") // as camel-kafka has it
    public Consumer getConsumer(Properties properties) {
        Object bytes = properties.remove(BATCH_BYTES);
        if (bytes == null) {
            return super.getConsumer(properties);
        }
        String records = String.valueOf(properties.get(ConsumerConfig.MAX_POLL_RECORDS_CONFIG));
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(BoundedPolls.AT_A_TIME));
        return new BoundedConsumer<>(properties, Integer.parseInt(records), Long.parseLong(bytes.toString()));
    }
}
