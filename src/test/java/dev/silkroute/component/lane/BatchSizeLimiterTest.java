package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class BatchSizeLimiterTest {
    private static final Duration TIMEOUT = Duration.ofMillis(100);
    private static final Duration IDLE_TIMEOUT = Duration.ofMillis(500);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final int KIB = 1024;

    private final List<Supplier<ConsumerRecords<String, String>>> kafka = new ArrayList<>();
    private final List<Duration> waited = new ArrayList<>();
    private final FakeTime time = new FakeTime();
    private final BatchSizeLimiter<String, String> limiter = new BatchSizeLimiter<>(
            8,
            10 * KIB,
            INTERVAL,
            timeout -> {
                waited.add(timeout);
                return kafka.isEmpty()
                        ? ConsumerRecords.empty()
                        : kafka.removeFirst().get();
            },
            () -> IDLE_TIMEOUT,
            time);

    private static final class FakeTime implements BatchSizeLimiter.Time {
        private long now = 7;
        private long slept;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
            slept += nanos;
        }

        private void pass(Duration duration) {
            now += duration.toNanos();
        }
    }

    private void has(int partition, int from, int count, int size) {
        Map<TopicPartition, List<ConsumerRecord<String, String>>> records = new LinkedHashMap<>();
        for (int offset = from; offset < from + count; offset++) {
            records.computeIfAbsent(new TopicPartition("t", partition), _ -> new ArrayList<>())
                    .add(new ConsumerRecord<>(
                            "t",
                            partition,
                            offset,
                            0,
                            TimestampType.CREATE_TIME,
                            -1,
                            size,
                            null,
                            "",
                            new RecordHeaders(),
                            Optional.empty()));
        }
        kafka.add(() -> new ConsumerRecords<>(records, Map.of()));
    }

    /** As {@code partition/offset}. */
    private List<String> poll() {
        return StreamSupport.stream(limiter.poll(TIMEOUT).spliterator(), false)
                .map(record -> record.partition() + "/" + record.offset())
                .toList();
    }

    @Test
    void whatIsThereComesAtOnceAndOnlyTheFirstIsWaitedFor() {
        has(0, 0, 2, KIB);
        has(1, 5, 1, KIB);
        has(0, 2, 1, KIB);
        assertThat(poll()).containsExactly("0/0", "0/1", "0/2", "1/5");
        assertThat(waited).containsExactly(IDLE_TIMEOUT, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(poll()).isEmpty();
    }

    @Test
    void pollsWaitLongerOnlyWhileCamelKafkaHasNoRecords() {
        assertThat(poll()).isEmpty();
        has(0, 0, 1, KIB);
        assertThat(poll()).containsExactly("0/0");
        assertThat(poll()).isEmpty();
        time.pass(INTERVAL.multipliedBy(2));
        assertThat(poll()).as("camel-kafka completes its batch after this").isEmpty();
        assertThat(poll()).isEmpty();
        assertThat(waited).containsExactly(IDLE_TIMEOUT, IDLE_TIMEOUT, Duration.ZERO, TIMEOUT, TIMEOUT, IDLE_TIMEOUT);
        Duration longer = IDLE_TIMEOUT.plusMillis(1);
        assertThat(limiter.poll(longer)).isEmpty();
        assertThat(waited).last().isEqualTo(longer);
    }

    @Test
    void aPollHasSoManyRecordsAndAFewMore() {
        has(0, 0, 4, 1);
        has(0, 4, 3, 1);
        has(0, 7, 4, 1);
        has(0, 11, 1, 1);
        assertThat(poll()).hasSize(11);
        assertThat(poll()).containsExactly("0/11");
    }

    @Test
    void aBatchHasSoManyBytesAndAFewRecordsMore() {
        has(0, 0, 1, 10 * KIB - 1);
        has(0, 1, 1, KIB);
        has(0, 2, 1, KIB);
        assertThat(poll()).containsExactly("0/0", "0/1");
        assertThat(time.slept).isZero();

        // When it polls on at once, then nothing comes before camel-kafka has handed on what it has
        time.pass(Duration.ofMillis(100));
        assertThat(poll()).containsExactly("0/2");
        assertThat(time.slept).isEqualTo(Duration.ofMillis(200).toNanos());
    }

    @Test
    void polledBitByBitABatchHasNoMoreThanThat() {
        for (int offset = 0; offset < 12; offset++) {
            has(0, offset, 1, KIB);
            if (offset != 9) {
                kafka.add(ConsumerRecords::empty); // with the tenth it is enough, and no more is asked for
            }
        }
        for (int offset = 0; offset < 10; offset++) {
            assertThat(poll()).containsExactly("0/" + offset);
            time.pass(Duration.ofMillis(10));
        }
        assertThat(time.slept).isZero();
        assertThat(poll()).containsExactly("0/10");
        assertThat(time.slept).isEqualTo(Duration.ofMillis(200).toNanos());
        assertThat(poll()).containsExactly("0/11");
        assertThat(time.slept).isEqualTo(Duration.ofMillis(200).toNanos());
    }

    @Test
    void recordsThatTrickleInNeverWait() {
        for (int offset = 0; offset < 100; offset++) {
            has(0, offset, 1, 3 * KIB);
            kafka.add(ConsumerRecords::empty);
            assertThat(poll()).containsExactly("0/" + offset);
            time.pass(Duration.ofMillis(100));
        }
        assertThat(time.slept).isZero();
    }

    @Test
    void aRouteThatHandsOnSoonerPausesLess() {
        BatchSizeLimiter<String, String> quick = new BatchSizeLimiter<>(
                8, 10 * KIB, Duration.ofMillis(20), _ -> kafka.removeFirst().get(), () -> IDLE_TIMEOUT, time);
        has(0, 0, 1, 10 * KIB);
        has(0, 1, 1, 10 * KIB);
        assertThat(quick.poll(TIMEOUT).count()).isOne();
        assertThat(quick.poll(TIMEOUT).count()).isOne();
        assertThat(time.slept).isEqualTo(Duration.ofMillis(24).toNanos());
    }

    @Test
    void whileABatchIsBeingStoredNothingWaits() {
        for (int i = 0; i < 3; i++) {
            has(0, i, 1, 10 * KIB);
            assertThat(poll()).containsExactly("0/" + i);
            time.pass(INTERVAL.multipliedBy(2));
        }
        assertThat(time.slept).isZero();
    }

    @Test
    void aRecordLargerThanThatComesAlone() {
        has(0, 0, 1, 20 * KIB);
        has(0, 1, 1, 20 * KIB);
        assertThat(poll()).containsExactly("0/0");
        assertThat(poll()).containsExactly("0/1");
    }

    @Test
    void whatWasReadBeforeAPollFailedComesWithTheNextOne() {
        has(0, 0, 1, KIB);
        kafka.add(() -> {
            throw new WakeupException();
        });
        has(0, 1, 1, KIB);
        assertThatThrownBy(this::poll).isInstanceOf(WakeupException.class);
        assertThat(poll()).containsExactly("0/0", "0/1");
    }

    /** It is read again, from where the lane stands. */
    @Test
    void recordsOfRevokedPartitionsAreNotReturned() {
        has(0, 3, 2, KIB);
        has(1, 5, 1, KIB);
        kafka.add(() -> {
            limiter.drop(List.of(new TopicPartition("t", 0)));
            return ConsumerRecords.empty();
        });
        assertThat(poll()).containsExactly("1/5");
        has(0, 3, 1, KIB);
        assertThat(poll()).containsExactly("0/3");
    }
}
