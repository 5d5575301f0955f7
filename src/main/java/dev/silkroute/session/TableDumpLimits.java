package dev.silkroute.session;

import java.time.Duration;

/**
 * The times after which the station generates End-of-RIB for a router that does not send it.
 *
 * @param quiet time without an announcement for a peer, view and family after which this table is complete
 * @param longest time after a Peer Up when all tables of the peer are complete
 */
public record TableDumpLimits(Duration quiet, Duration longest) {
    /** The station waits for the routers' own End-of-RIB. */
    public static final TableDumpLimits NONE = new TableDumpLimits(Duration.ofDays(36_500), Duration.ofDays(36_500));

    private static final int CHECKS = 8;

    public TableDumpLimits {
        if (!quiet.isPositive() || !longest.isPositive()) {
            throw new IllegalArgumentException(
                    "times until a table is complete must be positive, they are " + quiet + " and " + longest);
        }
    }

    long quietMicros() {
        return quiet.toNanos() / 1000;
    }

    long longestMicros() {
        return longest.toNanos() / 1000;
    }

    long intervalMicros() {
        return interval().toNanos() / 1000;
    }

    /** Returns the interval of checks: the maximum delay of a generated End-of-RIB. */
    public Duration interval() {
        Duration shorter = quiet.compareTo(longest) < 0 ? quiet : longest;
        return shorter.dividedBy(CHECKS);
    }
}
