package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Makes Kafka consumers whose polls are bounded in bytes ({@link BatchSizeLimiter}). */
final class LaneClientFactory extends DefaultKafkaClientFactory {
    private final int batchRecords;
    private final long batchBytes;
    private final Duration batchInterval;
    private final Supplier<List<IdleAction>> idle;
    private final LaneConsumers consumers;
    private final BooleanSupplier stopping;

    /**
     * @param idle makes the actions of each consumer
     * @param stopping whether all routes stop, one after another, so that no poll is to wait longer than it has to
     */
    LaneClientFactory(
            int batchRecords,
            long batchBytes,
            Duration batchInterval,
            Supplier<List<IdleAction>> idle,
            LaneConsumers consumers,
            BooleanSupplier stopping) {
        this.batchRecords = batchRecords;
        this.batchBytes = batchBytes;
        this.batchInterval = batchInterval;
        this.idle = idle;
        this.consumers = consumers;
        this.stopping = stopping;
    }

    /** @param properties not changed: camel-kafka passes the same ones each time it reconnects */
    @Override
    @SuppressWarnings("rawtypes") // as camel-kafka declares it
    public Consumer getConsumer(Properties properties) {
        Properties own = new Properties();
        own.putAll(properties);
        own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(BatchSizeLimiter.RECORDS_PER_POLL));
        ByteBoundedConsumer<?, ?> consumer =
                new ByteBoundedConsumer<>(own, batchRecords, batchBytes, batchInterval, idle.get(), stopping);
        consumers.add(consumer);
        return consumer;
    }
}
