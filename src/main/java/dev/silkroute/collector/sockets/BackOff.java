package dev.silkroute.collector.sockets;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays between attempts that fail: each has twice the upper bound of the one before, up to a maximum, and a
 * random length between half of this bound and the bound. So the attempts for several routers that were lost together
 * do not coincide. Not thread-safe.
 */
final class BackOff {
    private final Duration first;
    private final Duration max;
    private final RandomGenerator random;
    private Duration bound;

    /** @param first the bound of the first delay, at most {@code max} */
    BackOff(Duration first, Duration max, RandomGenerator random) {
        this.first = first;
        this.max = max;
        this.random = random;
        bound = first;
    }

    /** Returns the delay before the next attempt. */
    Duration next() {
        long half = bound.toNanos() / 2;
        Duration doubled = bound.multipliedBy(2);
        bound = doubled.compareTo(max) < 0 ? doubled : max;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }

    /** Begins again with the first delay. */
    void reset() {
        bound = first;
    }
}
