package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory.CamelExchangePayload;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory.KafkaRecordPayload;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupOffsetsTest {
    private static final TopicPartition ONE = new TopicPartition("t", 1);
    private static final TopicPartition TWO = new TopicPartition("t", 2);

    private final Group consumer = new Group();
    private final GroupOffsets commits = new GroupOffsets();
    private final Exchange exchange = new DefaultExchange(new DefaultCamelContext());

    private static final class Group extends MockConsumer<byte[], byte[]> {
        private @Nullable KafkaException failure;
        private final Map<TopicPartition, Long> committed = new HashMap<>();

        Group() {
            super("earliest");
            assign(List.of(ONE, TWO));
        }

        @Override
        public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            if (failure != null) {
                throw failure;
            }
            offsets.forEach((partition, next) -> committed.put(partition, next.offset()));
        }
    }

    private KafkaManualCommit poll(Group from, TopicPartition partition, long offset) {
        return commits.newInstance(
                new CamelExchangePayload(exchange, from, "thread", null),
                new KafkaRecordPayload(partition, offset, 1000),
                null);
    }

    @Test
    void commitsEveryPartitionOfTheBatch() {
        poll(consumer, ONE, 5);
        poll(consumer, TWO, 8);
        poll(consumer, ONE, 6).commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 7L, TWO, 9L));
    }

    @Test
    void whatCouldNotBeCommittedIsWithTheNextBatch() {
        consumer.failure = new TimeoutException("Kafka is unavailable");
        poll(consumer, ONE, 5).commit();
        consumer.failure = null;
        poll(consumer, TWO, 8).commit();
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 6L, TWO, 9L));
    }

    @Test
    void aReconnectedConsumerDoesNotCommitWhatFailedBefore() {
        poll(consumer, ONE, 5);
        Group reconnected = new Group();
        poll(reconnected, TWO, 8).commit();
        assertThat(reconnected.committed).isEqualTo(Map.of(TWO, 9L));
    }

    @Test
    void aPartitionThatIsGoneIsNotCommitted() {
        poll(consumer, ONE, 5);
        KafkaManualCommit last = poll(consumer, TWO, 8);
        consumer.assign(List.of(TWO));
        last.commit();
        assertThat(consumer.committed).isEqualTo(Map.of(TWO, 9L));
    }

    @Test
    void aRoutesStepsAreCommittedWhenTheyHaveCompletedAndNotWhenTheyFail() throws Exception {
        var failed = new DefaultExchange(exchange.getContext());
        poll(consumer, ONE, 5);
        commits.committing(e -> e.setException(new IllegalStateException("Kafka is unavailable")))
                .process(failed);
        assertThat(consumer.committed).isEmpty();

        var rolledBack = new DefaultExchange(exchange.getContext());
        commits.committing(e -> e.setRollbackOnly(true)).process(rolledBack);
        assertThat(consumer.committed).isEmpty();

        var position = new AtomicLong(-1);
        commits.committing(_ -> position.set(consumer.committed.size())).process(exchange);
        assertThat(position).hasValue(0);
        assertThat(consumer.committed).isEqualTo(Map.of(ONE, 6L));
    }
}
