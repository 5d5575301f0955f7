package dev.silkroute.component.lane;

/**
 * The progress of a lane in a partition.
 *
 * @param next offset of the record that it stores next
 * @param end offset of the record that is appended next
 */
public record LaneProgress(long next, long end) {}
