package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.embedded.EmbeddedKafka;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Sends records to Kafka and keeps the first failure. */
final class RecordSender implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 20;

    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final KafkaProducer<String, byte[]> producer;

    RecordSender(KafkaAccess kafka) {
        producer = new KafkaProducer<>(
                kafka.with(Map.of(
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "lz4",
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        EmbeddedKafka.MAX_MESSAGE_BYTES,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        BUFFER_BYTES)),
                new StringSerializer(),
                new ByteArraySerializer());
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
