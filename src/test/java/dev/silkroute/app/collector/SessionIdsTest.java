package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionIdsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long MILLIS = NOW.toEpochMilli();
    private static final long LARGEST_OF_JAVASCRIPT = (1L << 53) - 1;

    private static SessionIds ids(int number, long newest) {
        return new SessionIds(Clock.fixed(NOW, ZoneOffset.UTC), number, newest);
    }

    @Test
    void areTimesWithTheCollectorsNumber() {
        for (long newest : new long[] {-1, MILLIS - 5000}) {
            SessionIds ids = ids(7, newest);
            assertThat(ids.next()).isEqualTo(MILLIS * 1000 + 70);
            assertThat(ids.next()).isEqualTo(MILLIS * 1000 + 71);
        }
    }

    @Test
    void areLargerThanThoseOfAClockThatWasAhead() {
        SessionIds ids = ids(0, MILLIS + 60_000);
        assertThat(ids.next()).isEqualTo((MILLIS + 61_000) * 1000 + 1);
        assertThat(ids.next()).isEqualTo((MILLIS + 61_000) * 1000 + 2);
    }

    /** A thousand routers that connect to each of two collectors in the same millisecond. */
    @Test
    void ofCollectorsWithTheSameClockAreAllDifferentAndAscend() {
        Set<Long> all = new HashSet<>();
        for (int number : new int[] {0, 1, CollectorNumbers.LIMIT - 1}) {
            SessionIds ids = ids(number, -1);
            long last = 0;
            for (int i = 0; i < 1000; i++) {
                long id = ids.next();
                assertThat(id).isGreaterThan(last).isLessThan(LARGEST_OF_JAVASCRIPT);
                assertThat(all.add(id)).isTrue();
                last = id;
            }
            assertThat(last / 1000 - MILLIS).as("milliseconds ahead").isLessThan(100);
        }
    }

    /** A clock that was ahead of Kafka's newest session is right again, and the collector restarts twice. */
    @Test
    void ofRestartsBehindTheNewestSessionAreDifferent() {
        SessionIds first = ids(0, MILLIS + 60_000);
        long used = first.newestMillis();
        long id = first.next();
        SessionIds second = ids(0, Math.max(MILLIS + 60_000, used));
        assertThat(second.newestMillis()).isGreaterThan(used);
        assertThat(second.next()).isGreaterThan(id);
    }

    /** A wrong clock that no id was taken from must not move later ids. */
    @Test
    void theTimeOfTheNewestIdIsNotThatOfTheClock() {
        SessionIds ids = ids(0, -1);
        assertThat(ids.newestMillis()).isZero();
        ids.next();
        assertThat(ids.newestMillis()).isEqualTo(MILLIS);
    }
}
