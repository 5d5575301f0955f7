package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SessionIdsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long MILLIS = NOW.toEpochMilli();

    private static SessionIds ids(long newest) {
        return new SessionIds(Clock.fixed(NOW, ZoneOffset.UTC), newest);
    }

    @Test
    void areTimesAndAllDifferent() {
        for (long newest : new long[] {-1, MILLIS - 5000}) {
            SessionIds ids = ids(newest);
            assertThat(ids.next()).isEqualTo(MILLIS * 1000);
            assertThat(ids.next()).isEqualTo(MILLIS * 1000 + 1);
        }
    }

    @Test
    void areLargerThanThoseOfAClockThatWasAhead() {
        SessionIds ids = ids(MILLIS + 60_000);
        assertThat(ids.next()).isEqualTo((MILLIS + 61_000) * 1000 + 1);
        assertThat(ids.next()).isEqualTo((MILLIS + 61_000) * 1000 + 2);
    }
}
