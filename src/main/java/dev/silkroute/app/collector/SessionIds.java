package dev.silkroute.app.collector;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Session ids: microseconds since 1970 at the connection, moved on by one where two sessions would share one. So they grow
 * with time, across restarts too.
 */
final class SessionIds {
    private final Clock clock;
    private final AtomicLong last = new AtomicLong();

    SessionIds(Clock clock) {
        this.clock = clock;
    }

    long next() {
        long now = clock.millis() * 1000;
        return last.updateAndGet(previous -> Math.max(previous + 1, now));
    }
}
