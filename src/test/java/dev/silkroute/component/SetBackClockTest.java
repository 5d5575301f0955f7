package dev.silkroute.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetBackClockTest {
    private static final Duration MINUTES = Duration.ofMinutes(10);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos = Long.MAX_VALUE - 5;
    private final List<Duration> steps = new ArrayList<>();
    private final SetBackClock clock = new SetBackClock(new GivenClock(), () -> nanos, steps::add);

    private final class GivenClock extends Clock {
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
    void runsTheActionOnceForEachStepBack() {
        for (int i = 0; i < 2; i++) {
            now = now.minus(MINUTES);
            clock.check();
            pass(Duration.ofSeconds(1));
            clock.check();
        }
        assertThat(steps).containsExactly(MINUTES, MINUTES);
    }

    @Test
    void stepsForwardAndSlowClocksAreNoStepsBack() {
        now = now.plus(MINUTES);
        clock.check();
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(1));
            now = now.minusMillis(100);
            clock.check();
        }
        assertThat(steps).isEmpty();
    }

    private void pass(Duration duration) {
        now = now.plus(duration);
        nanos += duration.toNanos();
    }
}
