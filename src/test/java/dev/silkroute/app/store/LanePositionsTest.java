package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LanePositionsTest {
    private static final TopicPartition ONE = new TopicPartition("t", 1);
    private static final TopicPartition TWO = new TopicPartition("t", 2);

    private final Group consumer = new Group();
    private final LanePositions positions = new LanePositions(consumer, null);

    /** A consumer whose group can be rebalanced, and whose commits can fail. */
    private static final class Group extends MockConsumer<byte[], byte[]> {
        private int generation = 1;
        private @Nullable KafkaException failure;
        private final Map<TopicPartition, Long> committed = new HashMap<>();

        Group() {
            super("earliest");
            assign(List.of(ONE, TWO));
        }

        void rebalance(TopicPartition... ours) {
            generation++;
            assign(List.of(ours));
        }

        @Override
        public ConsumerGroupMetadata groupMetadata() {
            return new ConsumerGroupMetadata("g", generation, "m", Optional.empty());
        }

        @Override
        public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            if (failure != null) {
                throw failure;
            }
            offsets.forEach((partition, next) -> committed.put(partition, next.offset()));
        }
    }

    private LanePositions.Position poll(TopicPartition partition, long offset) {
        return positions.polled(partition, offset, 1000);
    }

    @Test
    void commitsEveryPartitionOfTheBatch() {
        poll(ONE, 5);
        poll(TWO, 8);
        poll(ONE, 6).commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 7L, TWO, 9L));
    }

    @Test
    void whatCouldNotBeCommittedIsWithTheNextBatch() {
        consumer.failure = new TimeoutException("Kafka is away");
        poll(ONE, 5).commit();
        consumer.failure = null;
        poll(TWO, 8).commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 6L, TWO, 9L));
    }

    @Test
    void whatWasPolledBeforeARebalanceIsNotStored() {
        LanePositions.Position before = poll(ONE, 5);
        LanePositions.Position moved = poll(TWO, 8);
        consumer.rebalance(ONE);
        LanePositions.Position after = poll(ONE, 5);
        assertThat(List.of(before.toStore(), moved.toStore(), after.toStore())).containsExactly(false, false, true);
        after.commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 6L));
    }

    @Test
    void whatIsStoredAndComesAgainIsCommittedAndNotStoredAgain() {
        consumer.failure = new CommitFailedException();
        poll(ONE, 5).commit();
        consumer.failure = null;
        consumer.rebalance(ONE, TWO);
        assertThat(poll(ONE, 5).toStore()).isFalse();
        LanePositions.Position next = poll(ONE, 6);
        assertThat(next.toStore()).isTrue();
        next.commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 7L));
        assertThat(poll(ONE, 5).toStore()).isTrue();
    }

    @Test
    void aReconnectedConsumerKnowsWhatIsStored() {
        consumer.failure = new TimeoutException("Kafka is away");
        poll(ONE, 5).commit();
        LanePositions reconnected = new LanePositions(new Group(), positions);
        assertThat(reconnected.polled(ONE, 5, 1000).toStore()).isFalse();
        assertThat(reconnected.polled(ONE, 6, 1000).toStore()).isTrue();
    }

    @Test
    void aPartitionThatIsGoneIsNotCommitted() {
        poll(ONE, 5);
        LanePositions.Position last = poll(TWO, 8);
        consumer.assign(List.of(TWO));
        last.commit();
        assertThat(consumer.committed).isEqualTo(Map.of(TWO, 9L));
    }
}
