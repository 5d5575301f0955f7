package dev.silkroute.app.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Parses durations: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d} or ISO 8601 ({@code PT36H}). A number without
 * a unit is rejected, because milliseconds and seconds would be equally plausible. Quarkus, Camel and PostgreSQL
 * interpret all of these forms alike.
 */
public final class DurationFormat implements Converter<Duration> {
    private static final long serialVersionUID = 1L;
    private static final Pattern MILLISECONDS = Pattern.compile("\\d{1,15}ms");
    private static final Pattern DAYS = Pattern.compile("\\d{1,9}d");
    private static final Pattern TIME = Pattern.compile("(?=\\d)(\\d{1,9}h)?(\\d{1,9}m)?(\\d{1,9}s)?");

    /** @throws IllegalArgumentException if the text is not a duration, or a negative one */
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

    @Override
    public Duration convert(String text) {
        return parse(text);
    }
}
