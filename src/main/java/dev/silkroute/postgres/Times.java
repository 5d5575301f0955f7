package dev.silkroute.postgres;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Microseconds since 1970 as JDBC wants a {@code timestamptz}. */
final class Times {
    private Times() {}

    static OffsetDateTime of(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
