package dev.silkroute.component.rib;

import dev.silkroute.rib.Rib;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends routes that have been stale for too long, and removes ended routes from memory, also while no batches arrive.
 */
final class Purge implements Runnable {
    private final Rib rib;
    private final long batchSize;
    private final Duration staleTimeout;
    private final Duration resyncTimeout;
    private final @Nullable RibOffsets offsets;

    /** The time of the start and what has elapsed since: a step of the system clock must not end a timeout. */
    private final long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    private final long startNanos = System.nanoTime();

    Purge(Rib rib, long batchSize, Duration staleTimeout, Duration resyncTimeout, @Nullable RibOffsets offsets) {
        this.rib = rib;
        this.batchSize = batchSize;
        this.staleTimeout = staleTimeout;
        this.resyncTimeout = resyncTimeout;
        this.offsets = offsets;
    }

    @Override
    public void run() {
        if (offsets == null || offsets.ready()) {
            expire();
        }
        rib.purge(batchSize);
    }

    private void expire() {
        long elapsed = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos);
        rib.expire(startMicros + elapsed, staleTimeout.toNanos() / 1000, resyncTimeout.toNanos() / 1000);
    }
}
