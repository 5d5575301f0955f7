package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.ReadingPause;
import dev.silkroute.collector.transport.ReceiveClock;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private final MemoryBudget reading = new MemoryBudget(1000, 100);

    private void check(String time) {
        Clock fixed = Clock.fixed(Instant.parse(time), ZoneOffset.UTC);
        new ClockWatch(reading, new ReceiveClock(fixed, System::nanoTime)).check();
    }

    @Test
    void givenAClockOutsideThePlausibleRangeThenReadingPausesUntilItIsSet() {
        check("2026-11-25T10:00:00Z");
        assertThat(reading.isPaused()).isFalse();

        check("1970-01-01T00:03:00Z");
        assertThat(reading.isPaused()).isTrue();

        check("2200-01-01T00:00:00Z");
        assertThat(reading.isPaused()).isTrue();

        check("2026-11-25T10:00:05Z");
        assertThat(reading.isPaused()).isFalse();
    }

    @Test
    void givenLittleFreeSpaceTooThenTheClockDoesNotEndThatPause() {
        reading.pause(ReadingPause.FREE_SPACE);
        check("1970-01-01T00:03:00Z");
        check("2026-11-25T10:00:00Z");
        assertThat(reading.isPaused()).isTrue();
    }
}
