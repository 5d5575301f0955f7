package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LanePlace;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Tells partitions whose end Kafka has lost from those that only seem to end early. An end that was asked before the lane's place was read
 * proves nothing: another writer may have stored further in between. Nor does one answer of a broker that has just come back.
 */
final class LogTruncation {
    /** A partition that has ended early as often as this, asked after the place was read, has lost its end. */
    static final int ANSWERS = 5;

    private static final long PAUSE_MILLIS = 300;

    private LogTruncation() {}

    /** Asks Kafka for a topic. */
    @FunctionalInterface
    interface Question {
        TopicInspector.Topic ask() throws ExecutionException;
    }

    /** Ends of the partitions that end before the place, if the topic is still the one with this id. */
    static Map<Integer, Long> behind(TopicInspector.Topic topic, UUID id, Map<Integer, LanePlace> places) {
        Map<Integer, Long> behind = new HashMap<>();
        if (topic.id().equals(id)) {
            places.forEach((partition, place) -> {
                Long end = topic.ends().get(partition);
                if (end != null && end < place.next()) {
                    behind.put(partition, end);
                }
            });
        }
        return behind;
    }

    /** @param places read before the question is asked */
    static Map<Integer, Long> find(UUID id, Map<Integer, LanePlace> places, Question question)
            throws ExecutionException {
        Map<Integer, Long> lost = behind(question.ask(), id, places);
        for (int answers = 1; answers < ANSWERS && !lost.isEmpty(); answers++) {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ExecutionException("there is no time to ask Kafka", e);
            }
            lost = behind(question.ask(), id, places);
        }
        return lost;
    }
}
