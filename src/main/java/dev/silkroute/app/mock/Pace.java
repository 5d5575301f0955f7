package dev.silkroute.app.mock;

/**
 * The schedule of something that happens at a constant rate.
 *
 * @param perSecond the rate; 0 is unlimited
 * @param startNanos when the schedule started, in the time of {@link System#nanoTime}
 * @param startCount the count at that time
 */
record Pace(double perSecond, long startNanos, long startCount) {
    static final Pace UNLIMITED = new Pace(0, 0, 0);

    /** Starts a schedule now. */
    static Pace start(double perSecond, long count) {
        return new Pace(perSecond, System.nanoTime(), count);
    }

    /** Returns the nanoseconds until the next is due after this count; 0 or less if it is due already. */
    long nanosUntilDue(long count) {
        return perSecond <= 0 ? 0 : startNanos + (long) ((count - startCount) / perSecond * 1e9) - System.nanoTime();
    }
}
