package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class LaneConsumersTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final LaneConsumers consumers = new LaneConsumers();

    @Test
    void aPollThatWaitsForRecordsEndsWhenTheClockIsSetBack() {
        try (Consumer<?, ?> consumer = consumer()) {
            // Given a poll without a broker
            CompletableFuture<?> poll = CompletableFuture.runAsync(() -> consumer.poll(LONG));
            // When
            consumers.clockSetBack(LONG);
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
        consumers.clockSetBack(LONG);
        try (Consumer<?, ?> consumer = consumer()) {
            assertThat(consumer.poll(SHORT).isEmpty()).isTrue();
        }
    }

    @SuppressWarnings("rawtypes") // as camel-kafka declares it
    private Consumer consumer() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:1"); // no listener
        properties.put("group.id", "test");
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        LaneClientFactory clients =
                new LaneClientFactory(500, 16 << 20, Duration.ofMillis(20), List::of, consumers, () -> false);
        Consumer consumer = clients.getConsumer(properties);
        consumer.subscribe(List.of("topic"));
        return consumer;
    }
}
