package dev.silkroute.postgres.lane;

/**
 * The position of a lane in a partition.
 *
 * @param next the offset of the next record
 * @param newest the latest timestamp of the records before it, milliseconds since 1970, or {@link
 *     LanePosition#NO_TIME}. A record before {@code next} with a later timestamp has taken the offset of a record that
 *     Kafka has lost
 */
public record LaneOffset(long next, long newest) {
    /** A position without a known timestamp. */
    public static LaneOffset at(long next) {
        return new LaneOffset(next, LanePosition.NO_TIME);
    }

    /** The same timestamp with another offset. */
    public LaneOffset movedTo(long offset) {
        return new LaneOffset(offset, newest);
    }

    /** The position after a record. */
    public LaneOffset after(long offset, long timestamp) {
        return new LaneOffset(offset + 1, Math.max(newest, timestamp));
    }
}
