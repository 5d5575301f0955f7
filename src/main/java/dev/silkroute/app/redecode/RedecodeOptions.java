package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.session.SessionConfig;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages to decode again, and the destination of the results.
 *
 * @param jdbcUrl the database with the quarantine
 * @param raw whether to decode a time range of {@code bmp.raw} instead of the quarantine
 * @param router the only router to include, or null
 * @param from the earliest receive time to include, or null
 * @param to the first receive time not to include, or null
 * @param topic where the route batches of a time range go; null for the lanes that they came from
 * @param dryRun whether to send and mark nothing
 * @param withoutContext whether to include messages of sessions whose beginning has expired from {@code bmp.raw}
 * @param topics the names of the station's topics
 * @param partitions the configured numbers of partitions, by the names of the topics
 * @param decoding the collector's settings for decoding
 */
public record RedecodeOptions(
        KafkaAccess kafka,
        String jdbcUrl,
        boolean raw,
        @Nullable String router,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String topic,
        boolean dryRun,
        boolean withoutContext,
        Map<StationTopic, String> topics,
        Map<String, Integer> partitions,
        SessionConfig decoding) {
    String topicName(StationTopic which) {
        return Objects.requireNonNull(topics.get(which));
    }

    boolean includes(long receivedMicros) {
        return (from == null || receivedMicros >= micros(from)) && (to == null || receivedMicros < micros(to));
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
