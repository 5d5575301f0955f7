package dev.silkroute.postgres.copy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Microseconds since 1970 as JDBC wants a {@code timestamptz}. */
public final class Times {
    private Times() {}

    public static OffsetDateTime of(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
