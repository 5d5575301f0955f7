package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ReceiveClockTest {
    private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

    private Instant system = NOW;
    private long nanos = 7_000_000_000L;
    private final ReceiveClock clock = new ReceiveClock(new SystemClock(), () -> nanos);

    private final class SystemClock extends Clock {
        @Override
        public Instant instant() {
            return system;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void givenAPlausibleSystemClockThenItsTimeIsReturned() {
        assertThat(clock.instant()).isEqualTo(NOW);
        system = NOW.plus(Duration.ofDays(400));
        assertThat(clock.instant()).isEqualTo(system);
        assertThat(clock.isPlausible()).isTrue();
    }

    @Test
    void givenAClockThatJumpsToAnotherCenturyThenTimeContinues() {
        assertThat(clock.instant()).isEqualTo(NOW);
        system = Instant.parse("2287-01-01T00:00:00Z");
        nanos += 5_000_000_000L;
        assertThat(clock.isPlausible()).isFalse();
        assertThat(clock.instant()).isEqualTo(NOW.plusSeconds(5));
        system = Instant.EPOCH;
        nanos += 1_000_000_000L;
        assertThat(clock.instant()).isEqualTo(NOW.plusSeconds(6));
        system = NOW.plusSeconds(7);
        assertThat(clock.instant()).isEqualTo(system);
    }
}
