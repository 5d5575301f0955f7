package dev.silkroute.collector.sessions;

import java.time.Duration;

/**
 * The limits of sessions that send their tables at the same time.
 *
 * @param sessions maximum number of sessions that send their tables; 0 for no limit
 * @param quiet time with few bytes after which a session has sent its tables, for routers that do not send End-of-RIB
 * @param longest time after which a session counts as if it had sent its tables, so that others can begin
 */
public record DumpLimits(int sessions, Duration quiet, Duration longest) {
    public static final DumpLimits NONE = new DumpLimits(0, Duration.ofSeconds(2), Duration.ofMinutes(5));

    public DumpLimits {
        if (sessions < 0) {
            throw new IllegalArgumentException("the limit of sessions must not be negative, it is " + sessions);
        }
        if (!quiet.isPositive() || !longest.isPositive()) {
            throw new IllegalArgumentException("times until a session has sent its tables must be positive, they are "
                    + quiet + " and " + longest);
        }
    }
}
