package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Limits the bytes in a batch of camel-kafka's batching consumer. Kafka's own limits count records, or bytes before
 * decompression.
 *
 * <p>Each poll polls Kafka's consumer for {@value #RECORDS_PER_POLL} records at a time until there are no more or the
 * batch has enough bytes. The poll after that waits until camel-kafka's {@code batchingIntervalMs} has passed since
 * the first records of its batch: camel-kafka completes the batch after a poll that returns then, before it adds what
 * that poll returns. While a batch is processed for longer than the interval, no poll waits. While camel-kafka has no
 * records, no interval has to end and polls may wait longer than its timeout.
 *
 * <p>Not thread-safe, like Kafka's consumer.
 */
final class BatchSizeLimiter<K, V> {
    /** Records per poll of Kafka's consumer: a batch exceeds its bytes by at most as many records. */
    static final int RECORDS_PER_POLL = 4;

    private final int batchRecords;
    private final long batchBytes;
    private final long intervalNanos;
    private final Function<Duration, ConsumerRecords<K, V>> kafka;
    private final Supplier<Duration> idleTimeout;
    private final Time time;

    /** Records that have been read and not returned yet. They are kept when a later poll of Kafka's consumer fails. */
    private final Map<TopicPartition, List<ConsumerRecord<K, V>>> pending = new LinkedHashMap<>();

    private final Map<TopicPartition, OffsetAndMetadata> nextOffsets = new HashMap<>();
    /** Bytes of the records that camel-kafka may have in its current batch, pending ones included. */
    private long bytesInBatch;
    /** The time when the first records of camel-kafka's current batch were returned, in nanoseconds. */
    private long batchBeganAt;

    /** True if the records that are returned next are the first of a batch. */
    private boolean batchBegins = true;

    /** True if camel-kafka's batch is certainly empty. */
    private boolean batchEmpty = true;

    /** The clock, and a way to sleep by it. */
    interface Time {
        long nanos();

        void sleep(long nanos);
    }

    /**
     * @param batchRecords the number of records from which on a poll returns
     * @param batchBytes the number of bytes from which on a batch is complete
     * @param batchInterval the route's {@code batchingIntervalMs}
     * @param kafka polls Kafka's consumer for at most {@value #RECORDS_PER_POLL} records
     * @param idleTimeout the shortest timeout of polls while camel-kafka has no records
     */
    BatchSizeLimiter(
            int batchRecords,
            long batchBytes,
            Duration batchInterval,
            Function<Duration, ConsumerRecords<K, V>> kafka,
            Supplier<Duration> idleTimeout) {
        this(batchRecords, batchBytes, batchInterval, kafka, idleTimeout, new SystemTime());
    }

    BatchSizeLimiter(
            int batchRecords,
            long batchBytes,
            Duration batchInterval,
            Function<Duration, ConsumerRecords<K, V>> kafka,
            Supplier<Duration> idleTimeout,
            Time time) {
        this.batchRecords = batchRecords;
        this.batchBytes = batchBytes;
        intervalNanos = batchInterval.toNanos() * 6 / 5; // camel-kafka measures the interval by another clock
        this.kafka = kafka;
        this.idleTimeout = idleTimeout;
        this.time = time;
        batchBeganAt = time.nanos();
    }

    ConsumerRecords<K, V> poll(Duration timeout) {
        long left = batchBeganAt + intervalNanos - time.nanos();
        if (left > 0 && bytesInBatch >= batchBytes) {
            time.sleep(left);
            left = 0;
        }
        boolean completesBatch = left <= 0;
        if (completesBatch) {
            bytesInBatch = 0;
            batchBegins = true;
        }
        int records = pending.values().stream().mapToInt(List::size).sum();
        Duration patience = records == 0 ? timeout(timeout) : Duration.ZERO;
        while (records < batchRecords && bytesInBatch < batchBytes) {
            ConsumerRecords<K, V> more = kafka.apply(patience);
            if (more.isEmpty()) {
                break;
            }
            more.forEach(this::add);
            nextOffsets.putAll(more.nextOffsets());
            records += more.count();
            patience = Duration.ZERO;
        }
        batchEmpty = pending.isEmpty() && (batchEmpty || completesBatch);
        return takePending();
    }

    private Duration timeout(Duration timeout) {
        if (!batchEmpty) {
            return timeout;
        }
        Duration idle = idleTimeout.get();
        return timeout.compareTo(idle) < 0 ? idle : timeout;
    }

    private void add(ConsumerRecord<K, V> record) {
        bytesInBatch += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        pending.computeIfAbsent(new TopicPartition(record.topic(), record.partition()), _ -> new ArrayList<>())
                .add(record);
    }

    private ConsumerRecords<K, V> takePending() {
        if (pending.isEmpty()) {
            return ConsumerRecords.empty();
        }
        ConsumerRecords<K, V> all = new ConsumerRecords<>(new LinkedHashMap<>(pending), new HashMap<>(nextOffsets));
        pending.clear();
        nextOffsets.clear();
        if (batchBegins) {
            batchBeganAt = time.nanos();
            batchBegins = false;
        }
        return all;
    }

    /** Drops pending records of revoked partitions; the consumer to which these are assigned next reads them again. */
    void drop(Collection<TopicPartition> partitions) {
        pending.keySet().removeAll(partitions);
        nextOffsets.keySet().removeAll(partitions);
    }

    private static final class SystemTime implements Time {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) {
            try {
                TimeUnit.NANOSECONDS.sleep(nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the poll that follows throws
            }
        }
    }
}
