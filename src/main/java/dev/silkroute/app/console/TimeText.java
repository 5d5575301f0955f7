package dev.silkroute.app.console;

import dev.silkroute.app.config.UsageError;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Reads a time from the command line: {@code 2026-11-21T09:30:00Z} with any offset, or a date, its midnight in UTC. */
public final class TimeText {
    private TimeText() {}

    /**
     * @param option the name of the option, for the error
     * @throws UsageError if the text is not a time
     */
    public static Instant parse(String option, String text) {
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new UsageError(option + " " + text + " is not a time such as 2026-11-21T09:30:00Z or 2026-11-21", e);
        }
    }
}
