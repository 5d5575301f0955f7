package dev.silkroute.chaos;

/**
 * How many events history has, and how they compare with the topic's.
 *
 * @param rows of routers
 * @param synthetic rows that the station made
 * @param unchanged announcements that are not repeated because nothing had changed
 * @param late withdrawals by the station in the name of a later End-of-RIB than the first that didn't have the route
 * @param spared routes that were gone by an End-of-RIB and came again before the station had withdrawn them
 * @param unended routes that were gone and that history doesn't end
 * @param wronglyEnded withdrawals by the station of routes that were not gone, or had been ended
 */
public record HistoryCounts(
        long rows,
        long synthetic,
        long unchanged,
        long late,
        long spared,
        long missing,
        long twice,
        long unknown,
        long unended,
        long wronglyEnded) {}
