package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs an action whenever a consumer has read no records for a time. Not thread-safe, like Kafka's consumer. */
final class IdleAction {
    private final long intervalNanos;
    private final Runnable action;
    private final LongSupplier nanos;

    /** The time when records were read last, or when the action was run last, in nanoseconds. */
    private long idleSince;

    /**
     * @param interval null to never run the action
     * @param nanos a monotonic clock
     */
    IdleAction(@Nullable Duration interval, Runnable action, LongSupplier nanos) {
        intervalNanos = interval == null ? Long.MAX_VALUE : interval.toNanos();
        this.action = action;
        this.nanos = nanos;
        idleSince = nanos.getAsLong();
    }

    /** Returns the nanoseconds until the action is run if no records are read; at most 0 if it is due. */
    long left() {
        return intervalNanos - (nanos.getAsLong() - idleSince);
    }

    /** Called after each poll. */
    void polled(boolean empty) {
        if (!empty) {
            idleSince = nanos.getAsLong();
        } else if (left() <= 0) {
            action.run();
            idleSince = nanos.getAsLong();
        }
    }
}
