package dev.silkroute.collector.transport;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The system clock, as long as it is plausible. While it is not, as after a machine has started without a battery, the
 * time continues from the last plausible one: no message bears a time for which the database has no partition.
 * Thread-safe.
 */
public final class ReceiveClock extends Clock {
    public static final ReceiveClock SYSTEM = new ReceiveClock(Clock.systemUTC(), System::nanoTime);

    /** The database has partitions for days from 2000 to 2199. */
    static final Instant EARLIEST = Instant.parse("2020-01-01T00:00:00Z");

    static final Instant LATEST = Instant.parse("2199-12-01T00:00:00Z");

    private static final long NOTE_NANOS = 1_000_000_000;

    private final Clock wall;
    private final LongSupplier nanos;
    private volatile @Nullable Plausible last;

    private record Plausible(Instant time, long nanos) {}

    /** @param nanos a monotonic clock */
    public ReceiveClock(Clock wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
    }

    /** Returns the time of the system clock, whether it is plausible or not. */
    public Instant systemTime() {
        return wall.instant();
    }

    /** Returns whether the system clock is in the range of plausible times now. */
    public boolean isPlausible() {
        return isPlausible(systemTime());
    }

    private static boolean isPlausible(Instant time) {
        return !time.isBefore(EARLIEST) && time.isBefore(LATEST);
    }

    @Override
    public Instant instant() {
        Instant now = systemTime();
        long at = nanos.getAsLong();
        Plausible known = last;
        if (isPlausible(now)) {
            if (known == null || at - known.nanos > NOTE_NANOS) {
                last = new Plausible(now, at);
            }
            return now;
        }
        return known == null ? now : known.time.plusNanos(at - known.nanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return zone.equals(getZone()) ? this : wall.withZone(zone);
    }
}
