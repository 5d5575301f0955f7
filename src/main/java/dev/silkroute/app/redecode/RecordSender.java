package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.component.bmp.RouterPartitioner;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Sends records to the partitions of their routers, as the collector does, and keeps the first failure. */
final class RecordSender implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 20;

    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final KafkaProducer<String, byte[]> producer;

    /** @param partitions the configured numbers of partitions, by the names of the topics */
    RecordSender(KafkaAccess kafka, Map<String, Integer> partitions) {
        Map<String, Object> settings = new HashMap<>(RouterPartitioner.settings(partitions));
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, RouterPartitioner.class);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, EmbeddedKafka.MAX_MESSAGE_BYTES);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        producer = new KafkaProducer<>(kafka.with(settings), new StringSerializer(), new ByteArraySerializer());
    }

    void send(String topic, String router, byte[] value) {
        try {
            producer.send(new ProducerRecord<>(topic, router, value), (_, problem) -> {
                if (problem != null) {
                    failure.compareAndSet(null, problem);
                }
            });
        } catch (KafkaException e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Waits until Kafka has acknowledged or rejected all records. */
    void flush() {
        producer.flush();
    }

    /** Returns why the first record that failed was rejected, null if none has failed. */
    @Nullable
    Exception failure() {
        return failure.get();
    }

    @Override
    public void close() {
        producer.close();
    }
}
