package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class SlewedTimeTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final SettableClock clock = new SettableClock(BEGIN);
    private final SlewedTime time = new SlewedTime(clock, clock::nanos);

    @Test
    void isThatOfTheClockAlsoAfterAStepForward() {
        clock.pass(Duration.ofMillis(7));
        assertThat(sinceBegin()).isEqualTo(Duration.ofMillis(7));
        clock.step(Duration.ofSeconds(600));
        assertThat(sinceBegin()).isEqualTo(Duration.ofMillis(600_007));
    }

    @Test
    void passesAtHalfTheSpeedAfterAStepBackUntilTheClockHasCaughtUp() {
        // Given
        clock.step(Duration.ofSeconds(-600));
        assertThat(sinceBegin()).isZero();
        // When it is read often, and when it is not read for long
        for (int i = 0; i < 3000; i++) {
            clock.pass(Duration.ofNanos(333_333));
            time.milliseconds();
        }
        assertThat(sinceBegin()).isBetween(Duration.ofMillis(498), Duration.ofMillis(500));
        clock.pass(Duration.ofSeconds(599));
        assertThat(sinceBegin()).isBetween(Duration.ofSeconds(299), Duration.ofSeconds(300));
        // Then it is that of the clock after twice the step
        clock.pass(Duration.ofSeconds(600));
        assertThat(sinceBegin()).isEqualTo(Duration.ofMillis(599_999));
        clock.pass(Duration.ofSeconds(1));
        assertThat(sinceBegin()).isEqualTo(Duration.ofMillis(600_999));
    }

    @Test
    void aConditionThatIsNotMetByTheDeadlineIsATimeout() throws InterruptedException {
        Object monitor = new Object();
        time.waitObject(monitor, () -> true, time.milliseconds());
        assertThatThrownBy(() -> time.waitObject(monitor, () -> false, time.milliseconds()))
                .isInstanceOf(TimeoutException.class);
    }

    private Duration sinceBegin() {
        return Duration.between(BEGIN, Instant.ofEpochMilli(time.milliseconds()));
    }
}
