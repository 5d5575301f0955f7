package dev.silkroute.component;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetBackClockTest {
    private static final Duration MINUTES = Duration.ofMinutes(10);

    private final SettableClock system = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Duration> steps = new ArrayList<>();
    private final SetBackClock clock = new SetBackClock(system, system::nanos, steps::add);

    @Test
    void runsTheActionOnceForEachStepBack() {
        for (int i = 0; i < 2; i++) {
            system.step(MINUTES.negated());
            clock.check();
            system.pass(Duration.ofSeconds(1));
            clock.check();
        }
        assertThat(steps).containsExactly(MINUTES, MINUTES);
    }

    @Test
    void stepsForwardAndSlowClocksAreNoStepsBack() {
        system.step(MINUTES);
        clock.check();
        for (int i = 0; i < 20; i++) {
            system.pass(Duration.ofSeconds(1));
            system.step(Duration.ofMillis(-100));
            clock.check();
        }
        assertThat(steps).isEmpty();
    }
}
