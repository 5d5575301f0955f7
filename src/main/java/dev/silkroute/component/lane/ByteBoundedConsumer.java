package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka consumer whose polls go through a {@link BatchSizeLimiter}, with actions for when it is idle. It polls no
 * more after the system clock was set back: camel-kafka then replaces it, as after any other error of a poll.
 */
final class ByteBoundedConsumer<K, V> extends KafkaConsumer<K, V> {
    /** The longest time that Camel waits for a poll when it stops a single lane. */
    private static final Duration LONGEST_IDLE_POLL = Duration.ofMillis(500);

    private final BatchSizeLimiter<K, V> limiter;
    private final List<IdleAction> idle;
    private final BooleanSupplier stopping;
    private volatile boolean clockSetBack;

    /** @param stopping see {@link LaneClientFactory} */
    ByteBoundedConsumer(
            Properties properties,
            int batchRecords,
            long batchBytes,
            Duration batchInterval,
            List<IdleAction> idle,
            BooleanSupplier stopping) {
        super(properties);
        this.idle = List.copyOf(idle);
        this.stopping = stopping;
        limiter = new BatchSizeLimiter<>(batchRecords, batchBytes, batchInterval, super::poll, this::idleTimeout);
    }

    /** Returns how long a poll waits at least while camel-kafka has no records. */
    Duration idleTimeout() {
        if (stopping.getAsBoolean()) {
            return Duration.ZERO;
        }
        long left = idle.stream().mapToLong(IdleAction::left).min().orElse(Long.MAX_VALUE);
        return Duration.ofNanos(Math.clamp(left, 0, LONGEST_IDLE_POLL.toNanos()));
    }

    @Override
    public ConsumerRecords<K, V> poll(Duration timeout) {
        if (clockSetBack) {
            throw replaced(null);
        }
        ConsumerRecords<K, V> records;
        try {
            records = limiter.poll(timeout);
        } catch (WakeupException e) {
            throw clockSetBack ? replaced(e) : e;
        }
        for (IdleAction each : idle) {
            each.polled(records.isEmpty());
        }
        return records;
    }

    /** Ends the current poll, if there is one, and all later ones with an exception. Thread-safe. */
    void clockSetBack() {
        clockSetBack = true;
        wakeup();
    }

    private static KafkaException replaced(@Nullable WakeupException cause) {
        return new KafkaException("the system clock has been set back, so this consumer is replaced", cause);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, forwarding(listener));
    }

    @Override
    public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        super.subscribe(pattern, forwarding(listener));
    }

    /** Drops the limiter's records of partitions that are revoked during a poll, after earlier polls have read them. */
    private ConsumerRebalanceListener forwarding(ConsumerRebalanceListener listener) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                limiter.drop(partitions);
                listener.onPartitionsRevoked(partitions);
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {
                limiter.drop(partitions);
                listener.onPartitionsLost(partitions);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                listener.onPartitionsAssigned(partitions);
            }
        };
    }
}
