package dev.silkroute.net;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** Parses durations that operators write. */
public final class DurationText {
    private static final Pattern MILLISECONDS = Pattern.compile("\\d{1,15}ms");
    private static final Pattern DAYS = Pattern.compile("\\d{1,9}d");
    private static final Pattern TIME = Pattern.compile("(?=\\d)(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?");

    private DurationText() {}

    /**
     * Parses {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d} or ISO 8601 ({@code PT36H}).
     *
     * @throws IllegalArgumentException if the text is not a duration, or a negative one
     */
    public static Duration parse(String text) {
        var value = text.strip().toLowerCase(Locale.ROOT);
        if (MILLISECONDS.matcher(value).matches()) {
            return Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)));
        }
        var iso = DAYS.matcher(value).matches()
                ? "p" + value
                : TIME.matcher(value).matches() ? "pt" + value : value;
        try {
            var duration = Duration.parse(iso);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (RuntimeException _) {
            // Reported below, like a negative duration.
        }
        throw new IllegalArgumentException("'" + text + "' is not a duration such as 500ms, 30s, 1h30m or 7d");
    }
}
