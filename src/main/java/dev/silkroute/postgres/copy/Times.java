package dev.silkroute.postgres.copy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Converts microseconds since 1970 to the JDBC type of {@code timestamptz}. */
public final class Times {
    private Times() {}

    public static OffsetDateTime of(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
