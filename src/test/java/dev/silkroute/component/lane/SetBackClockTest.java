package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class SetBackClockTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos = Long.MAX_VALUE - 5;
    private final SetBackClock clock = new SetBackClock(new StoppedClock(), () -> nanos);

    private final class StoppedClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @Test
    void aPollThatWaitsForRecordsEndsWhenTheClockIsSetBack() {
        try (Consumer<?, ?> consumer = consumer()) {
            // Given a poll without a broker
            CompletableFuture<?> poll = CompletableFuture.runAsync(() -> consumer.poll(LONG));
            // When
            now = now.minus(LONG);
            clock.check();
            // Then
            assertThatThrownBy(poll::join).cause().isExactlyInstanceOf(KafkaException.class);
            // and the consumer is not used again
            assertThatThrownBy(() -> consumer.poll(SHORT))
                    .isExactlyInstanceOf(KafkaException.class)
                    .hasMessageContaining("clock has been set back");
        }
    }

    @Test
    void aConsumerThatIsCreatedAfterwardsPolls() {
        now = now.minus(LONG);
        clock.check();
        try (Consumer<?, ?> consumer = consumer()) {
            clock.check();
            assertThat(consumer.poll(SHORT).isEmpty()).isTrue();
        }
    }

    @Test
    void aClockThatIsSetForwardOrSlowedDoesNotInterrupt() {
        try (Consumer<?, ?> consumer = consumer()) {
            now = now.plus(LONG);
            clock.check();
            for (int i = 0; i < 20; i++) {
                now = now.plusMillis(900);
                nanos += 1_000_000_000;
                clock.check();
            }
            assertThat(consumer.poll(SHORT).isEmpty()).isTrue();
        }
    }

    @SuppressWarnings("rawtypes") // as camel-kafka declares it
    private Consumer consumer() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:1"); // nobody listens there
        properties.put("group.id", "test");
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        LaneClientFactory clients = new LaneClientFactory(
                500, 16 << 20, Duration.ofMillis(20), () -> new IdleAction(null, () -> {}, System::nanoTime), clock);
        Consumer consumer = clients.getConsumer(properties);
        consumer.subscribe(List.of("topic"));
        return consumer;
    }
}
