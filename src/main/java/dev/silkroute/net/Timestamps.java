package dev.silkroute.net;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Formats points in time that are held as microseconds since 1970. */
public final class Timestamps {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Timestamps() {}

    /** Returns ISO 8601 in UTC with six decimal places, such as {@code 2026-11-23T18:41:10.000001Z}. */
    public static String text(long micros) {
        return MICROS.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
