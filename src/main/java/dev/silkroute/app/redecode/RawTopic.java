package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads {@code bmp.raw} from a time on, every partition, up to where it ends now. */
final class RawTopic implements AutoCloseable {
    static final String NAME = "bmp.raw";

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int ANSWER_MILLIS = 15_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final RedecodeProgress progress;
    private long foreign;

    RawTopic(KafkaAccess kafka, RedecodeProgress progress) {
        this.progress = progress;
        consumer = new KafkaConsumer<>(
                kafka.with(Map.of(
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        ANSWER_MILLIS,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        ANSWER_MILLIS,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        16 << 20)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Records that had not the headers of {@code bmp.raw}. */
    long foreign() {
        return foreign;
    }

    /**
     * Hands out the records that Kafka got in a span of time, each partition's in their order.
     *
     * @param fromMillis milliseconds since 1970
     * @param toMillis the same, not included
     * @param enough asked now and then: whether no more records are needed
     */
    void read(String pass, long fromMillis, long toMillis, Consumer<RawRecord> each, BooleanSupplier enough) {
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
            read(ends, each, enough);
        } catch (KafkaException e) {
            throw new OperatorError("Kafka does not answer: " + OperatorError.reason(e), e);
        }
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> partitions = new ArrayList<>();
        consumer.partitionsFor(NAME).forEach(found -> partitions.add(new TopicPartition(NAME, found.partition())));
        if (partitions.isEmpty()) {
            throw new OperatorError("there is no topic " + NAME);
        }
        return partitions;
    }

    /** Where the first record of this time or later lies, the end where there is none. */
    private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, long millis) {
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        if (millis != Long.MAX_VALUE) {
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(partition -> times.put(partition, Math.max(0, millis)));
            consumer.offsetsForTimes(times).forEach((partition, found) -> {
                OffsetAndTimestamp at = found;
                if (at != null) {
                    offsets.put(partition, at.offset());
                }
            });
        }
        return offsets;
    }

    private void read(Map<TopicPartition, Long> ends, Consumer<RawRecord> each, BooleanSupplier enough) {
        Map<TopicPartition, Long> open = new HashMap<>(ends);
        open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
        consumer.assign(open.keySet().stream().toList());
        long read = 0;
        long heard = System.nanoTime();
        while (!open.isEmpty() && !enough.getAsBoolean() && !progress.interrupted()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                heard = System.nanoTime();
                if (record.offset() < open.getOrDefault(new TopicPartition(NAME, record.partition()), 0L)) {
                    read++;
                    hand(record, each);
                }
            }
            progress.read(read);
            if (open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
                consumer.assign(open.keySet().stream().toList());
            }
            if (System.nanoTime() - heard > PATIENCE_NANOS) {
                throw new OperatorError("Kafka sends nothing more of " + NAME);
            }
        }
    }

    private void hand(ConsumerRecord<byte[], byte[]> record, Consumer<RawRecord> each) {
        RawRecord raw = RawRecord.of(record);
        if (raw == null) {
            foreign++;
        } else {
            each.accept(raw);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
