package dev.silkroute.postgres.lane;

import java.util.List;

/** What a reader of a topic gives along with a record. */
public interface Positioned {
    LanePosition position();

    /** Tells the reader that a batch of its records is stored for good, this one among them. It doesn't throw. */
    void stored(List<? extends Positioned> batch);
}
