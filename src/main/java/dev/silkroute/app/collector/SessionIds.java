package dev.silkroute.app.collector;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Generates session ids: microseconds since 1970 at the connection, incremented by one where two sessions would share
 * an id. A later session always has a larger id, also after a restart, and after a clock that was ahead has been
 * corrected. Thread-safe.
 */
final class SessionIds {
    private static final Logger LOGGER = Logger.getLogger(SessionIds.class);

    /** Covers ids that had been incremented beyond their clock. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Clock clock;
    private final AtomicLong last;

    /**
     * @param newest time of the newest session in Kafka, milliseconds since 1970; negative if there is none. All ids
     *     are later
     */
    SessionIds(Clock clock, long newest) {
        this.clock = clock;
        last = new AtomicLong(newest < 0 ? 0 : micros(newest + MARGIN.toMillis()));
        long ahead = newest - clock.millis();
        if (ahead > MARGIN.toMillis()) { // smaller differences are usual between the clocks of several collectors
            LOGGER.warnf(
                    "Kafka contains sessions that are %s ahead of the clock: the clock of this machine, or of an earlier collector, is wrong. Session ids continue after those sessions",
                    Duration.ofMillis(ahead));
        }
    }

    long next() {
        long now = micros(clock.millis());
        return last.updateAndGet(previous -> Math.max(previous + 1, now));
    }

    private static long micros(long millis) {
        return millis * 1000;
    }
}
