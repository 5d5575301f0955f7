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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Gives a batching consumer of camel-kafka so many bytes at once, whatever Kafka has: its own bounds count records, or compressed bytes.
 * Kafka's consumer is polled for few records at a time, until there is no more, or enough. When enough was given for a batch, the next poll
 * waits until camel-kafka hands on what it has gathered with whatever that poll returns, as it does from {@code batchingIntervalMs} on; while a
 * batch is being stored for longer than that, nothing waits.
 *
 * <p>Not thread-safe, as a consumer isn't.
 */
final class BatchSizeLimiter<K, V> {
    /** Records that Kafka's consumer gives at a time: so far a batch can go beyond its bytes, less one record. */
    static final int AT_A_TIME = 4;

    private final int mostRecords;
    private final long mostBytes;
    private final long waitNanos;
    private final Function<Duration, ConsumerRecords<K, V>> kafka;
    private final Time time;

    /** Read and not given yet; so also when a poll failed behind it. */
    private final Map<TopicPartition, List<ConsumerRecord<K, V>>> gathered = new LinkedHashMap<>();

    private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    /** Bytes that may be in one batch with those to come. */
    private long given;
    /** When something was given last, in nanoseconds. */
    private long givenAt;

    /** The clock, and who waits by it. */
    interface Time {
        long nanos();

        void sleep(long nanos);
    }

    /**
     * @param mostRecords of one poll
     * @param mostBytes of one batch
     * @param within the {@code batchingIntervalMs} of the route, or more
     * @param kafka a poll of Kafka's consumer, of at most {@value #AT_A_TIME} records
     */
    BatchSizeLimiter(
            int mostRecords, long mostBytes, Duration within, Function<Duration, ConsumerRecords<K, V>> kafka) {
        this(mostRecords, mostBytes, within, kafka, new SystemTime());
    }

    BatchSizeLimiter(
            int mostRecords,
            long mostBytes,
            Duration within,
            Function<Duration, ConsumerRecords<K, V>> kafka,
            Time time) {
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
        waitNanos = within.toNanos() * 6 / 5; // camel-kafka's clock isn't this one
        this.kafka = kafka;
        this.time = time;
        givenAt = time.nanos();
    }

    ConsumerRecords<K, V> poll(Duration timeout) {
        long left = givenAt + waitNanos - time.nanos();
        if (left > 0 && given >= mostBytes) {
            time.sleep(left);
            left = 0;
        }
        if (left <= 0) {
            given = 0;
        }
        int records = gathered.values().stream().mapToInt(List::size).sum();
        Duration patience = records == 0 ? timeout : Duration.ZERO;
        while (records < mostRecords && given < mostBytes) {
            ConsumerRecords<K, V> more = kafka.apply(patience);
            if (more.isEmpty()) {
                break;
            }
            more.forEach(this::gather);
            next.putAll(more.nextOffsets());
            records += more.count();
            patience = Duration.ZERO;
        }
        return give();
    }

    private void gather(ConsumerRecord<K, V> record) {
        given += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        gathered.computeIfAbsent(new TopicPartition(record.topic(), record.partition()), _ -> new ArrayList<>())
                .add(record);
    }

    private ConsumerRecords<K, V> give() {
        if (gathered.isEmpty()) {
            return ConsumerRecords.empty();
        }
        ConsumerRecords<K, V> all = new ConsumerRecords<>(new LinkedHashMap<>(gathered), new HashMap<>(next));
        gathered.clear();
        next.clear();
        givenAt = time.nanos();
        return all;
    }

    /** What is not given yet of partitions that are taken away is read again, by whoever gets them. */
    void revoked(Collection<TopicPartition> partitions) {
        gathered.keySet().removeAll(partitions);
        next.keySet().removeAll(partitions);
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
                Thread.currentThread().interrupt(); // the poll behind it says so
            }
        }
    }
}
