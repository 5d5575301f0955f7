package dev.silkroute.app.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LookUpTest {
    @Test
    void whatFailsIsTriedAgain() {
        AtomicInteger times = new AtomicInteger();
        try (LookUp lookUp = new LookUp("something", "look-up", () -> {
            if (times.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
        })) {
            lookUp.every(Duration.ofMillis(1));
            await().untilAsserted(() -> assertThat(times).hasValueGreaterThan(3));
        }
    }
}
