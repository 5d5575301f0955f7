package dev.silkroute.component.rib;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that flow records are too large when enriched: at most one line a minute, with totals since the start.
 * Thread-safe.
 */
final class OversizedLog {
    private static final Logger LOGGER = LoggerFactory.getLogger(OversizedLog.class);
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int maxBytes;
    private final LongSupplier nanoTime;
    private long unchanged;
    private long leftOut;
    private boolean logged;
    private long loggedAt;

    OversizedLog(int maxBytes, LongSupplier nanoTime) {
        this.maxBytes = maxBytes;
        this.nanoTime = nanoTime;
    }

    /**
     * Adds to the totals.
     *
     * @return whether a line was logged
     */
    synchronized boolean add(int moreUnchanged, int moreLeftOut) {
        unchanged += moreUnchanged;
        leftOut += moreLeftOut;
        long now = nanoTime.getAsLong();
        if (logged && now - loggedAt < INTERVAL_NANOS) {
            return false;
        }
        logged = true;
        loggedAt = now;
        LOGGER.warn(
                "Flow records larger than {} bytes when enriched, since the start: {} passed on unchanged, {} left out",
                maxBytes,
                unchanged,
                leftOut);
        return true;
    }
}
