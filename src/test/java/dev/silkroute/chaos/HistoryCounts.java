package dev.silkroute.chaos;

/**
 * The number of events in history, compared with those of the topic.
 *
 * @param rows events of routers
 * @param synthetic withdrawals by the station
 * @param unchanged announcements that history omits because they changed nothing
 * @param late withdrawals by the station that refer to a later End-of-RIB than the first one without the route
 * @param spared routes that an End-of-RIB removed and that were announced again before the station had withdrawn them
 * @param unended removed routes that are not withdrawn in history
 * @param wronglyEnded withdrawals by the station of routes that were not removed, or already withdrawn
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
