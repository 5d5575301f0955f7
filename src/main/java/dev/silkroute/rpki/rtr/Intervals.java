package dev.silkroute.rpki.rtr;

import java.time.Duration;

/**
 * The intervals of an End of Data PDU (RFC 8210, Section 6).
 *
 * @param refresh time until the next query
 * @param retry longest time between a failed attempt and the next one
 * @param expire time after which the data must not be used any more
 */
public record Intervals(Duration refresh, Duration retry, Duration expire) {
    /** The values that the RFC suggests, which version 0 has instead of its own. */
    public static final Intervals DEFAULT = ofSeconds(3_600, 600, 7_200);

    /**
     * Returns the intervals, each moved to the nearest limit if it is outside the limits of the RFC. The expire
     * interval is at least as long as the others.
     *
     * @param refresh unsigned seconds, as the other parameters
     */
    static Intervals ofSeconds(long refresh, long retry, long expire) {
        long boundedRefresh = Math.clamp(refresh, 1, 86_400);
        long boundedRetry = Math.clamp(retry, 1, 7_200);
        long longest = Math.max(boundedRefresh, boundedRetry);
        return new Intervals(
                Duration.ofSeconds(boundedRefresh),
                Duration.ofSeconds(boundedRetry),
                Duration.ofSeconds(Math.max(Math.clamp(expire, 600, 172_800), longest + 1)));
    }
}
