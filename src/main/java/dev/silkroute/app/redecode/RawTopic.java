package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all partitions of {@code bmp.raw} from a time up to the end that the topic has when reading begins. */
final class RawTopic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(30);
    private static final int TIMEOUT_MILLIS = 15_000;
    private static final int FETCH_BYTES = 16 << 20;

    private final String name;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final RedecodeProgress progress;
    private long foreign;

    RawTopic(KafkaAccess kafka, String name, RedecodeProgress progress) {
        this.name = name;
        this.progress = progress;
        consumer = new KafkaConsumer<>(
                kafka.with(Map.of(
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        TIMEOUT_MILLIS,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        TIMEOUT_MILLIS,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        FETCH_BYTES)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Returns how many records without the headers of {@code bmp.raw} were skipped. */
    long foreign() {
        return foreign;
    }

    /**
     * Passes on the records that Kafka received in a time range, those of each partition in their order.
     *
     * @param pass a name for the progress display
     * @param fromMillis milliseconds since 1970
     * @param toMillis the end of the range, exclusive
     * @param isComplete checked between polls; reading stops once it returns true
     */
    void read(String pass, long fromMillis, long toMillis, Consumer<RawRecord> consume, BooleanSupplier isComplete) {
        readAll(pass, fromMillis, toMillis, record -> accept(record, consume), isComplete);
    }

    /** Like {@link #read}, for a topic of any content. */
    void readAll(
            String pass,
            long fromMillis,
            long toMillis,
            Consumer<ConsumerRecord<byte[], byte[]>> consume,
            BooleanSupplier isComplete) {
        try {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = offsets(partitions, toMillis);
            long total = 0;
            for (Map.Entry<TopicPartition, Long> start :
                    offsets(partitions, fromMillis).entrySet()) {
                consumer.seek(start.getKey(), start.getValue());
                total += Math.max(0, ends.getOrDefault(start.getKey(), 0L) - start.getValue());
            }
            progress.begin(pass, total);
            read(ends, consume, isComplete);
        } catch (KafkaException e) {
            throw new OperatorError("cannot read topic " + name + ": " + OperatorError.reason(e), e);
        }
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> partitions = new ArrayList<>();
        consumer.partitionsFor(name).forEach(found -> partitions.add(new TopicPartition(name, found.partition())));
        if (partitions.isEmpty()) {
            throw new OperatorError("topic " + name + " does not exist");
        }
        return partitions;
    }

    /** Returns the offset of each partition's first record at or after a time, its end offset if there is none. */
    private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, long millis) {
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        if (millis != Long.MAX_VALUE) {
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(partition -> times.put(partition, Math.max(0, millis)));
            consumer.offsetsForTimes(times).forEach((partition, found) -> {
                OffsetAndTimestamp offset = found;
                if (offset != null) {
                    offsets.put(partition, offset.offset());
                }
            });
        }
        return offsets;
    }

    private void read(
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> consume,
            BooleanSupplier isComplete) {
        Map<TopicPartition, Long> open = new HashMap<>(ends);
        open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
        consumer.assign(open.keySet().stream().toList());
        long read = 0;
        long lastRecordNanos = System.nanoTime();
        while (!open.isEmpty() && !isComplete.getAsBoolean() && !progress.isInterrupted()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                lastRecordNanos = System.nanoTime();
                if (record.offset() < open.getOrDefault(new TopicPartition(name, record.partition()), 0L)) {
                    read++;
                    consume.accept(record);
                }
            }
            progress.read(read);
            if (open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
                consumer.assign(open.keySet().stream().toList());
            }
            if (System.nanoTime() - lastRecordNanos > STALLED.toNanos()) {
                throw new OperatorError("received no more records of topic " + name + " for " + STALLED.toSeconds()
                        + " s, although its end was not reached: check the Kafka brokers");
            }
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record, Consumer<RawRecord> consume) {
        RawRecord raw = RawRecord.of(record);
        if (raw == null) {
            foreign++;
        } else {
            consume.accept(raw);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
