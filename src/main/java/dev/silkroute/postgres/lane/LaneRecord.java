package dev.silkroute.postgres.lane;

import org.jspecify.annotations.Nullable;

/**
 * A record of a topic.
 *
 * @param id its position in messages to people, {@code topic-partition@offset}
 * @param position its position, for a lane that keeps its offsets
 * @param value its value; bytes are not copied
 * @param <T> the type of its value
 */
public record LaneRecord<T>(String id, @Nullable LanePosition position, T value) {}
