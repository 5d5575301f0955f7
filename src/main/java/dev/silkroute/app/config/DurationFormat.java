package dev.silkroute.app.config;

import dev.silkroute.net.DurationText;
import java.time.Duration;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Parses durations: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 7d} or ISO 8601 ({@code PT36H}). A number without
 * a unit is rejected, because milliseconds and seconds would be equally plausible. Quarkus, Camel and PostgreSQL
 * interpret all of these forms alike.
 */
public final class DurationFormat implements Converter<Duration> {
    private static final long serialVersionUID = 1L;

    /** @throws IllegalArgumentException if the text is not a duration, or a negative one */
    public static Duration parse(String text) {
        return DurationText.parse(text);
    }

    @Override
    public Duration convert(String text) {
        return parse(text);
    }
}
