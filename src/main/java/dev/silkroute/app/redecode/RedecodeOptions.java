package dev.silkroute.app.redecode;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.session.SessionConfig;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is to be decoded again, and where it goes.
 *
 * @param kafka the cluster
 * @param jdbcUrl the database with the quarantine
 * @param raw a range of {@code bmp.raw} instead of the quarantine
 * @param router this one only
 * @param from received at this time or later
 * @param to received before this time
 * @param topic where a raw range's route batches go; null: back to the lanes they came from
 * @param dryRun nothing is sent and nothing marked
 * @param withoutContext also messages of sessions whose beginning {@code bmp.raw} no longer has
 * @param decoding how to decode, as the collector is told it
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
        SessionConfig decoding) {
    boolean includes(long receivedMicros) {
        return (from == null || receivedMicros >= micros(from)) && (to == null || receivedMicros < micros(to));
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
