package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class ByteBoundedConsumerTest {
    private final AtomicBoolean stopping = new AtomicBoolean();
    private long nanos = 7;

    @Test
    void anIdlePollWaitsForHalfASecondUnlessAnActionIsDueBefore() {
        assertThat(idleTimeout()).isEqualTo(Duration.ofMillis(500));
        IdleAction never = new IdleAction(null, () -> {}, () -> nanos);
        assertThat(idleTimeout(never)).isEqualTo(Duration.ofMillis(500));
        IdleAction each = new IdleAction(Duration.ofSeconds(1), () -> {}, () -> nanos);
        assertThat(idleTimeout(never, each)).isEqualTo(Duration.ofMillis(500));
        nanos += Duration.ofMillis(900).toNanos();
        assertThat(idleTimeout(never, each)).isEqualTo(Duration.ofMillis(100));
        nanos += Duration.ofMillis(900).toNanos();
        assertThat(idleTimeout(never, each)).isEqualTo(Duration.ZERO);
    }

    @Test
    void whileAllRoutesStopNoPollWaits() {
        stopping.set(true);
        assertThat(idleTimeout()).isEqualTo(Duration.ZERO);
    }

    private Duration idleTimeout(IdleAction... idle) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:1"); // no listener
        properties.put("group.id", "test");
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        try (ByteBoundedConsumer<byte[], byte[]> consumer = new ByteBoundedConsumer<>(
                properties, 500, 16 << 20, Duration.ofMillis(20), List.of(idle), stopping::get)) {
            return consumer.idleTimeout();
        }
    }
}
