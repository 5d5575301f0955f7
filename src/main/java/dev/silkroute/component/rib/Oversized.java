package dev.silkroute.component.rib;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells in the log of flow records that are too large to go on enriched: at most a line a minute, with the sums since the begin. Thread-safe. */
final class Oversized {
    private static final Logger LOGGER = LoggerFactory.getLogger(Oversized.class);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int maxBytes;
    private final LongSupplier nanoTime;
    private long asTheyCame;
    private long leftOut;
    private boolean told;
    private long toldAt;

    Oversized(int maxBytes, LongSupplier nanoTime) {
        this.maxBytes = maxBytes;
        this.nanoTime = nanoTime;
    }

    /** @return whether the log was told */
    synchronized boolean add(int moreAsTheyCame, int moreLeftOut) {
        asTheyCame += moreAsTheyCame;
        leftOut += moreLeftOut;
        long now = nanoTime.getAsLong();
        if (told && now - toldAt < PAUSE_NANOS) {
            return false;
        }
        told = true;
        toldAt = now;
        LOGGER.warn(
                "Flow records of more than {} bytes when enriched, since the start: {} went on as they came, {} were left out",
                maxBytes,
                asTheyCame,
                leftOut);
        return true;
    }
}
