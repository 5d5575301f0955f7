package dev.silkroute.app.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    @Test
    void aTaskThatFailsIsRepeated() {
        AtomicInteger times = new AtomicInteger();
        try (PeriodicTask periodic = new PeriodicTask("something", "periodic-task", () -> {
            if (times.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
        })) {
            periodic.start(Duration.ofMillis(1));
            await().untilAsserted(() -> assertThat(times).hasValueGreaterThan(3));
        }
    }
}
