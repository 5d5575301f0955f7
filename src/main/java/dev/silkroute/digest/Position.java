package dev.silkroute.digest;

import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A position in {@code bmp.routes} up to which a copy includes it. Positions in the same topic are comparable; two
 * stations with a Kafka cluster each have different topics.
 *
 * @param topicId the id of the topic, null if it is unknown
 * @param offsets the next offset to apply, by partition
 * @param lastUpdated milliseconds since 1970 until when the copy includes what routers have sent
 */
public record Position(@Nullable String topicId, Map<Integer, Long> offsets, OptionalLong lastUpdated) {
    public static final Position UNKNOWN = new Position(null, Map.of(), OptionalLong.empty());

    public Position {
        offsets = Map.copyOf(offsets);
    }
}
