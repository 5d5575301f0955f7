package dev.silkroute.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything that a topic has, partition by partition. */
public final class Topic {
    private static final Duration POLL = Duration.ofMillis(100);

    private Topic() {}

    public static void read(String bootstrap, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            for (var found : consumer.partitionsFor(topic)) {
                TopicPartition partition = new TopicPartition(topic, found.partition());
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
                while (consumer.position(partition) < end) {
                    consumer.poll(POLL).forEach(each);
                }
            }
        }
    }
}
