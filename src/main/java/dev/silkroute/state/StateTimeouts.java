package dev.silkroute.state;

/**
 * The time for which stale routes are kept. Time counts from when a router's session came up or went down, see
 * {@link #countedFrom} and {@link #pause} for events that were read late.
 *
 * @param staleMicros {@code stale-timeout}: how long the routes of a disconnected router are kept
 * @param resyncMicros {@code resync-timeout}: how long after a reconnect the routes of views are kept that the new
 *     session has not mentioned
 */
public record StateTimeouts(long staleMicros, long resyncMicros) {
    /** A pause between two checks that is shorter than this always counts. */
    private static final long SHORT_PAUSE_MICROS = 60_000_000;

    /**
     * Returns whether the routes of a view have been stale for too long, given the newest session that mentioned it.
     */
    boolean expired(RouterSession router, long viewSession, long now) {
        return switch (router) {
            case RouterSession.Unknown _ -> false;
            case RouterSession.Down down -> down.since() < now - staleMicros;
            case RouterSession.Up up -> viewSession < up.id() && up.since() < now - resyncMicros;
        };
    }

    /**
     * Returns from when on time counts for an event. An event that is read late counts from the last check of the
     * timeouts: what the router sent after it waits behind it and may confirm routes.
     *
     * @param at time of the event
     * @param lastCheck time of the last check, {@link Long#MIN_VALUE} if there was none
     */
    public static long countedFrom(long at, long lastCheck) {
        return Math.max(at, lastCheck);
    }

    /**
     * Returns how much of the time since the last check does not count. While nobody checked, because the database or
     * all writers were unavailable, nobody read what routers sent. A pause that is short compared with the timeouts
     * counts.
     */
    public long pause(long lastCheck, long now) {
        long longest = Math.max(SHORT_PAUSE_MICROS, Math.min(staleMicros, resyncMicros) / 2);
        return lastCheck < now - longest ? now - lastCheck : 0;
    }
}
