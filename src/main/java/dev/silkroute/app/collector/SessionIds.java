package dev.silkroute.app.collector;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * Generates session ids: microseconds since 1970 whose lowest three digits are not time. The first two of them are the
 * collector's number, so that no two collectors generate the same id; the last one counts the sessions of a
 * millisecond, which continue in the next one if there are more than ten.
 *
 * <pre>
 * 1 767 225 600 123 07 4
 * └ milliseconds ──┘ │ └ the fifth session of this millisecond
 *                    └ collector 7
 * </pre>
 *
 * <p>A later session always has a larger id than an earlier one of the same collector, also after a restart, and after
 * a clock that was ahead has been corrected. Thread-safe.
 */
final class SessionIds {
    private static final Logger LOGGER = Logger.getLogger(SessionIds.class);

    /** Covers ids that were ahead of their clock. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final int PER_MILLI = 10;
    private static final int MILLI = CollectorNumbers.LIMIT * PER_MILLI;

    private static final long PAUSE_NANOS = 1_000_000;

    private final Clock clock;
    private final int number;
    /** Milliseconds and the last digit, without the collector's number. */
    private final AtomicLong last;

    /**
     * @param number the collector's, less than {@link CollectorNumbers#LIMIT}
     * @param newest time of the newest session in Kafka, or of the newest id that this collector has used, in
     *     milliseconds since 1970; negative if there is none. All ids are larger
     */
    SessionIds(Clock clock, int number, long newest) {
        this.clock = clock;
        this.number = number;
        last = new AtomicLong(newest < 0 ? 0 : (newest + MARGIN.toMillis()) * PER_MILLI);
        long ahead = newest - clock.millis();
        if (ahead > MARGIN.toMillis()) { // smaller differences are usual between the clocks of several collectors
            LOGGER.warnf(
                    "Kafka contains sessions that are %s ahead of the clock: the clock of this machine, or of an earlier collector, is wrong. Session ids continue after those sessions",
                    Duration.ofMillis(ahead));
        }
    }

    /** Returns the time in the newest id, or a time that all ids are after, in milliseconds since 1970. */
    long newestMillis() {
        return last.get() / PER_MILLI;
    }

    long next() {
        long now = clock.millis() * PER_MILLI;
        long next = last.updateAndGet(previous -> Math.max(previous + 1, now));
        if (next > now && next % PER_MILLI == 0) {
            // Ids must not run ahead of the clock, because those of other collectors follow it: more than ten
            // connections in a millisecond wait
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return next / PER_MILLI * MILLI + number * (long) PER_MILLI + next % PER_MILLI;
    }
}
