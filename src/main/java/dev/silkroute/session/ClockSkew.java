package dev.silkroute.session;

import java.util.OptionalLong;

/**
 * The difference between the station's clock and a router's, from the times in its per-peer headers. The routes of a
 * table dump have the time at which the router learnt them, so the smallest difference of the last ten to twenty
 * minutes counts: there is nearly always a new route among them. Written by one thread, read by any.
 */
final class ClockSkew {
    /** The smallest difference is taken over two windows, the last complete one and the current one. */
    static final long WINDOW_MICROS = 600_000_000;

    private static final long NONE = Long.MAX_VALUE;

    private long windowEnd = Long.MIN_VALUE;
    private long lastWindow = NONE;
    private long thisWindow = NONE;
    private volatile long smallest = NONE;

    /**
     * Takes the times of one message into account.
     *
     * @param routerMicros the router's time in microseconds since 1970, 0 if it sent none
     * @param receivedMicros the station's time in microseconds since 1970
     */
    void observe(long routerMicros, long receivedMicros) {
        if (routerMicros == 0) {
            return;
        }
        if (receivedMicros >= windowEnd) {
            lastWindow = receivedMicros - windowEnd < WINDOW_MICROS ? thisWindow : NONE;
            thisWindow = NONE;
            windowEnd = receivedMicros + WINDOW_MICROS;
        }
        thisWindow = Math.min(thisWindow, receivedMicros - routerMicros);
        long smaller = Math.min(lastWindow, thisWindow);
        if (smaller != smallest) {
            smallest = smaller;
        }
    }

    /**
     * Returns the difference in microseconds, negative if the router's clock is ahead; empty until the router has sent
     * a time.
     */
    OptionalLong micros() {
        long known = smallest;
        return known == NONE ? OptionalLong.empty() : OptionalLong.of(known);
    }
}
