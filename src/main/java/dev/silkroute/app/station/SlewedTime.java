package dev.silkroute.app.station;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/**
 * The time of the system clock for Kafka's clients, without steps back: when the clock is set back, this time passes at
 * half the speed until the clock has caught up. So timeouts and delays take at most twice as long, instead of the whole
 * step, and record timestamps soon equal the clock again. Thread-safe.
 */
final class SlewedTime implements Time {
    private final Clock clock;
    private final LongSupplier nanos;

    /** The latest time returned, in nanoseconds since 1970. */
    private long latest;
    /** The monotonic clock at that moment. */
    private long latestAt;

    /** @param nanos a monotonic clock */
    SlewedTime(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        latest = clockNanos();
        latestAt = nanos.getAsLong();
    }

    @Override
    public synchronized long milliseconds() {
        long at = nanos.getAsLong();
        latest = Math.max(clockNanos(), latest + (at - latestAt) / 2);
        latestAt = at;
        return TimeUnit.NANOSECONDS.toMillis(latest);
    }

    private long clockNanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis());
    }

    @Override
    public long nanoseconds() {
        return nanos.getAsLong();
    }

    @Override
    public void sleep(long millis) {
        Utils.sleep(millis);
    }

    @Override
    public void waitObject(Object monitor, Supplier<Boolean> condition, long deadline) throws InterruptedException {
        synchronized (monitor) {
            while (!condition.get()) {
                long left = deadline - milliseconds();
                if (left <= 0) {
                    throw new TimeoutException("the condition was not met in time");
                }
                monitor.wait(left);
            }
        }
    }
}
