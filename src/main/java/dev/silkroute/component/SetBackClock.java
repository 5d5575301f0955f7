package dev.silkroute.component;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Runs an action when the system clock has been set back, for what waits until a time by this clock. Not thread-safe.
 */
public final class SetBackClock {
    /** At which {@link #check} is to be called. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    /** A delay by a shorter step does no harm. */
    private static final Duration TOLERATED = Duration.ofSeconds(1);

    private final Clock clock;
    private final LongSupplier nanos;
    private final Consumer<Duration> action;
    private Duration ahead;

    /**
     * @param nanos a monotonic clock
     * @param action receives by how much the clock was set back
     */
    public SetBackClock(Clock clock, LongSupplier nanos, Consumer<Duration> action) {
        this.clock = clock;
        this.nanos = nanos;
        this.action = action;
        ahead = ahead();
    }

    public void check() {
        Duration before = ahead;
        ahead = ahead();
        Duration back = before.minus(ahead);
        if (back.compareTo(TOLERATED) > 0) {
            action.accept(back);
        }
    }

    /** Returns how far the system clock is ahead of the monotonic one. */
    private Duration ahead() {
        return Duration.ofMillis(clock.millis()).minusNanos(nanos.getAsLong());
    }
}
