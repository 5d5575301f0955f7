package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class LaneClientFactoryTest {
    @Test
    void aReconnectedConsumerWithTheSamePropertiesIsLimitedToo() {
        // Given the properties that camel-kafka creates a consumer from, and another one for each reconnect
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:1"); // nobody is asked
        properties.put("group.id", "test");
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("max.poll.records", "500");
        Properties before = (Properties) properties.clone();
        LaneClientFactory clients =
                new LaneClientFactory(500, 16 << 20, Duration.ofMillis(20), List::of, new LaneConsumers(), () -> false);
        for (int connections = 1; connections <= 2; connections++) {
            // When
            try (Consumer<?, ?> consumer = clients.getConsumer(properties)) {
                // Then
                assertThat(consumer).as("connection " + connections).isInstanceOf(ByteBoundedConsumer.class);
            }
        }
        assertThat(properties).isEqualTo(before);
    }
}
