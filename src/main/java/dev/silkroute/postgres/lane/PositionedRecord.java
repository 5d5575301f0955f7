package dev.silkroute.postgres.lane;

import java.util.List;

/** A record with its position, as a reader passes it to a lane. */
public interface PositionedRecord {
    LanePosition position();

    /** Notifies the reader that a batch of its records, including this one, is committed. Does not throw. */
    void stored(List<? extends PositionedRecord> batch);
}
