package dev.silkroute.session;

import java.util.OptionalLong;

/**
 * By how much a router's clock is behind the station's, as its messages' times show. Routes of a table dump have the time at which the router learnt
 * them, so the smallest difference of ten to twenty minutes counts: there is seldom none that is new. Written by one thread, read by any.
 */
final class ClockSkew {
    /** Two windows count: the last whole one and the one that is under way. */
    static final long WINDOW_MICROS = 600_000_000;

    private static final long NONE = Long.MAX_VALUE;

    private long windowEnd = Long.MIN_VALUE;
    private long lastWindow = NONE;
    private long thisWindow = NONE;
    private volatile long least = NONE;

    /**
     * A message has come.
     *
     * @param routerMicros the router's time in microseconds since 1970, 0 if it gave none
     * @param receivedMicros the station's
     */
    void seen(long routerMicros, long receivedMicros) {
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
        if (smaller != least) {
            least = smaller;
        }
    }

    /** In microseconds, negative if the router's clock is ahead; nothing as long as it has told no time. */
    OptionalLong micros() {
        long known = least;
        return known == NONE ? OptionalLong.empty() : OptionalLong.of(known);
    }
}
