package dev.silkroute.chaos;

/**
 * How many events history has, and how they compare with the topic's.
 *
 * @param rows of routers
 * @param synthetic rows that the station made
 * @param unchanged announcements that are not repeated because nothing had changed
 */
public record HistoryCounts(long rows, long synthetic, long unchanged, long missing, long twice, long unknown) {}
