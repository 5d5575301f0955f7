package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReceiveClockTest {
    private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

    private final SettableClock system = new SettableClock(NOW);
    private final ReceiveClock clock = new ReceiveClock(system, system::nanos);

    @Test
    void givenAPlausibleSystemClockThenItsTimeIsReturned() {
        assertThat(clock.instant()).isEqualTo(NOW);
        system.step(Duration.ofDays(400));
        assertThat(clock.instant()).isEqualTo(system.instant());
        assertThat(clock.isPlausible()).isTrue();
    }

    @Test
    void givenAClockThatJumpsToAnotherCenturyThenTimeContinues() {
        assertThat(clock.instant()).isEqualTo(NOW);
        system.pass(Duration.ofSeconds(5));
        system.set(Instant.parse("2287-01-01T00:00:00Z"));
        assertThat(clock.isPlausible()).isFalse();
        assertThat(clock.instant()).isEqualTo(NOW.plusSeconds(5));
        system.pass(Duration.ofSeconds(1));
        system.set(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(NOW.plusSeconds(6));
        system.set(NOW.plusSeconds(7));
        assertThat(clock.instant()).isEqualTo(system.instant());
    }
}
