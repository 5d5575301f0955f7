package dev.silkroute.component.lane;

import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts consumers when the system clock is set back. Kafka's consumer measures time by this clock, but ignores a
 * time before the last one that it has seen: until the clock has caught up, a poll without records does not end, no
 * heartbeat is sent, and attempts to connect follow one another without a pause. A new consumer has seen no other time.
 * Thread-safe.
 */
final class SetBackClock {
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(SetBackClock.class);

    /** A shorter delay of polls and heartbeats does no harm. */
    private static final Duration TOLERATED = Duration.ofSeconds(1);

    private final Clock clock;
    private final LongSupplier nanos;
    private final Set<ByteBoundedConsumer<?, ?>> consumers =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private Duration ahead;

    /** @param nanos a monotonic clock */
    SetBackClock(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        ahead = ahead();
    }

    /** @param consumer interrupted at each step back, until it is collected as garbage */
    void watchFor(ByteBoundedConsumer<?, ?> consumer) {
        consumers.add(consumer);
    }

    /** Called each {@link #INTERVAL}. */
    synchronized void check() {
        Duration before = ahead;
        ahead = ahead();
        Duration back = before.minus(ahead);
        if (back.compareTo(TOLERATED) > 0) {
            LOGGER.warn(
                    "The system clock has been set back by {} s: all lanes connect to Kafka again, because its clients"
                            + " measure time by this clock",
                    back.toSeconds());
            List<ByteBoundedConsumer<?, ?>> all;
            synchronized (consumers) {
                all = List.copyOf(consumers);
            }
            all.forEach(ByteBoundedConsumer::interruptForClock);
        }
    }

    /** Returns how far the system clock is ahead of the monotonic one. */
    private Duration ahead() {
        return Duration.ofMillis(clock.millis()).minusNanos(nanos.getAsLong());
    }
}
