package dev.silkroute.perf.endtoend;

/**
 * A dump of a large table, and what a station has and uses after it.
 *
 * @param goalSeconds until the goal of the dump was reached
 * @param stored numbers of all routes and events that the station has
 * @param stale routes that are stale in the RIB, and those in the current state
 * @param ribBytes memory that the RIB has reserved
 * @param attributeSets distinct ones in the RIB
 * @param peakMib the most resident memory that the station's JVM has had
 * @param walBytes the log that PostgreSQL has written during the dump
 */
record LargeDump(
        Phase phase,
        double goalSeconds,
        Stored stored,
        long stale,
        double ribBytes,
        long attributeSets,
        double peakMib,
        StationSample sample,
        long walBytes) {
    /** Returns the number of announcements that {@code silkroute load} has reported as sent. */
    long sent() {
        return phase.events();
    }

    double ribBytesPerRoute() {
        return ribBytes / stored.rib();
    }

    double walBytesPerRoute() {
        return (double) walBytes / sent();
    }
}
