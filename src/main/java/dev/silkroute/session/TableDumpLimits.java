package dev.silkroute.session;

import java.time.Duration;

/**
 * When the station says End-of-RIB for a router that doesn't.
 *
 * @param quiet how long there was no announcement of a peer, view and family
 * @param longest after a Peer Up, for all tables of the peer
 */
public record TableDumpLimits(Duration quiet, Duration longest) {
    /** The station waits for the routers' own. */
    public static final TableDumpLimits NONE = new TableDumpLimits(Duration.ofDays(36_500), Duration.ofDays(36_500));

    private static final int CHECKS = 8;

    public TableDumpLimits {
        if (!quiet.isPositive() || !longest.isPositive()) {
            throw new IllegalArgumentException("a table can't be through within " + quiet + " or " + longest);
        }
    }

    long quietMicros() {
        return quiet.toNanos() / 1000;
    }

    long longestMicros() {
        return longest.toNanos() / 1000;
    }

    /** How often to look: so much later than it is due a table's end may be told. */
    public Duration interval() {
        Duration shorter = quiet.compareTo(longest) < 0 ? quiet : longest;
        return shorter.dividedBy(CHECKS);
    }
}
