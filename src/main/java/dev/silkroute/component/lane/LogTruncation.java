package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LaneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes partitions whose end Kafka has lost from those that only seem to end early. An end that was asked for
 * before the lane's offset was read proves nothing, because another writer may have stored more in between; nor does
 * a single answer of a broker that has just restarted.
 */
final class LogTruncation {
    /** A partition that ends early in as many answers has lost its end. */
    static final int ANSWERS = 5;

    private static final long PAUSE_MILLIS = 300;

    private LogTruncation() {}

    /** Asks Kafka for a topic. */
    @FunctionalInterface
    interface Lookup {
        TopicState find() throws ExecutionException;
    }

    /** Returns the ends of the partitions that end before these offsets, if the topic still has this id. */
    static Map<Integer, Long> endingEarly(TopicState topic, UUID id, Map<Integer, LaneOffset> offsets) {
        Map<Integer, Long> early = new HashMap<>();
        if (topic.id().equals(id)) {
            offsets.forEach((partition, offset) -> {
                Long end = topic.ends().get(partition);
                if (end != null && end < offset.next()) {
                    early.put(partition, end);
                }
            });
        }
        return early;
    }

    /** @param offsets read before the first lookup */
    static Map<Integer, Long> confirm(UUID id, Map<Integer, LaneOffset> offsets, Lookup lookup)
            throws ExecutionException {
        Map<Integer, Long> early = endingEarly(lookup.find(), id, offsets);
        for (int answers = 1; answers < ANSWERS && !early.isEmpty(); answers++) {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ExecutionException("interrupted while waiting for Kafka", e);
            }
            early = endingEarly(lookup.find(), id, offsets);
        }
        return early;
    }
}
