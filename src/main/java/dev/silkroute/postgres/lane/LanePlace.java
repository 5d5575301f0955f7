package dev.silkroute.postgres.lane;

/**
 * Where a lane stands in a partition.
 *
 * @param next the offset of the next record
 * @param newest a timestamp that no record before it has a later one than, milliseconds since 1970 as Kafka has it, or {@link LanePosition#NO_TIME}: what
 *     is in Kafka before {@code next} and has a later one came in the place of a record that Kafka has lost
 */
public record LanePlace(long next, long newest) {
    /** Of whose records no timestamp is known. */
    public static LanePlace at(long next) {
        return new LanePlace(next, LanePosition.NO_TIME);
    }

    /** The same, somewhere else. */
    public LanePlace movedTo(long offset) {
        return new LanePlace(offset, newest);
    }

    /** The place behind a record. */
    public LanePlace behind(long offset, long timestamp) {
        return new LanePlace(offset + 1, Math.max(newest, timestamp));
    }
}
