package dev.silkroute.collector.sessions;

/**
 * A token bucket whose level may become negative: what has been received counts, and the debt is the time to wait.
 * Thread-safe.
 */
final class RateLimit {
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double burst;
    private double level;
    private long updatedAt;

    /**
     * @param perSecond 0 for no limit
     * @param burst in seconds at the full rate
     */
    RateLimit(long perSecond, int burst, long now) {
        this.perSecond = perSecond;
        this.burst = (double) perSecond * burst;
        level = this.burst;
        updatedAt = now;
    }

    /** Counts units and returns how many nanoseconds to wait before more may be taken, 0 if none. */
    synchronized long take(long units, long now) {
        if (perSecond == 0) {
            return 0;
        }
        level = Math.min(burst, level + (now - updatedAt) / NANOS * perSecond) - units;
        updatedAt = now;
        return level >= 0 ? 0 : (long) (-level / perSecond * NANOS);
    }
}
