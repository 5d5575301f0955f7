package dev.silkroute.app.collector;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Session ids: microseconds since 1970 at the connection, moved on by one where two sessions would share one. So they
 * grow with time, across restarts too, and also where a clock that was ahead has been put right: what counts is that a
 * later session has the larger one.
 */
final class SessionIds {
    private static final Logger LOGGER = Logger.getLogger(SessionIds.class);

    /** Of ids that had moved on without their clock. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Clock clock;
    private final AtomicLong last;

    /**
     * @param newest when the newest session that is known was told, milliseconds since 1970, below 0 if there is none:
     *     all ids are larger
     */
    SessionIds(Clock clock, long newest) {
        this.clock = clock;
        last = new AtomicLong(newest < 0 ? 0 : micros(newest + MARGIN.toMillis()));
        long ahead = newest - clock.millis();
        if (ahead > MARGIN.toMillis()) { // less is how clocks of several collectors differ
            LOGGER.warnf(
                    "Kafka has been told of sessions in %s from now: a clock was wrong, or this one is. Ids of sessions go on from there",
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
