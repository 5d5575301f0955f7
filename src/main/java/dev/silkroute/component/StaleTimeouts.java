package dev.silkroute.component;

import java.time.Duration;

/** The default times after which stale routes are withdrawn, of the RIB in memory and of PostgreSQL. */
public final class StaleTimeouts {
    /** The default of {@code staleTimeout}: for the routes of a disconnected router. */
    public static final String STALE_TEXT = "24h";

    public static final Duration STALE = Duration.ofHours(24);

    /** The default of {@code resyncTimeout}: for peers that their router's new session has not mentioned. */
    public static final String RESYNC_TEXT = "30m";

    public static final Duration RESYNC = Duration.ofMinutes(30);

    private StaleTimeouts() {}
}
