package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.Collection;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Kafka's consumer behind {@link BatchSizeLimiter}. */
final class ByteBoundedConsumer<K, V> extends KafkaConsumer<K, V> {
    private final BatchSizeLimiter<K, V> polls;

    ByteBoundedConsumer(Properties properties, int mostRecords, long mostBytes, Duration within) {
        super(properties);
        polls = new BatchSizeLimiter<>(mostRecords, mostBytes, within, super::poll);
    }

    @Override
    public ConsumerRecords<K, V> poll(Duration timeout) {
        return polls.poll(timeout);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, told(listener));
    }

    @Override
    public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        super.subscribe(pattern, told(listener));
    }

    /** A poll may be the one in which partitions are taken away, and behind others whose records are not given yet. */
    private ConsumerRebalanceListener told(ConsumerRebalanceListener listener) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                polls.revoked(partitions);
                listener.onPartitionsRevoked(partitions);
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {
                polls.revoked(partitions);
                listener.onPartitionsLost(partitions);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                listener.onPartitionsAssigned(partitions);
            }
        };
    }
}
