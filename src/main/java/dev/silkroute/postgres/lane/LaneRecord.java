package dev.silkroute.postgres.lane;

import org.jspecify.annotations.Nullable;

/**
 * A record of a topic.
 *
 * @param <T> the type of its value
 */
public final class LaneRecord<T> {
    private final String place;
    private final @Nullable LanePosition position;
    private final T value;

    /**
     * @param place its position as text, {@code topic-partition@offset}
     * @param position its position, for a lane that keeps its offsets
     * @param value its value; bytes are not copied
     */
    public LaneRecord(String place, @Nullable LanePosition position, T value) {
        this.place = place;
        this.position = position;
        this.value = value;
    }

    public String place() {
        return place;
    }

    public @Nullable LanePosition position() {
        return position;
    }

    public T value() {
        return value;
    }
}
