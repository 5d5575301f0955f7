package dev.silkroute.app.console;

import dev.silkroute.app.config.DurationFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts the value of an option to a duration: a number of seconds such as {@code 90}, {@code 1.5} or {@code 1.5s},
 * or a duration in the {@linkplain DurationFormat form of the configuration}, such as {@code 500ms}, {@code 2m} or
 * {@code 1h30m}.
 */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SECONDS = Pattern.compile("(-?\\d{1,9}(?:\\.\\d{1,9})?)s?");

    @Override
    public Duration convert(String text) {
        var seconds = SECONDS.matcher(text);
        if (seconds.matches()) {
            return Duration.ofNanos(
                    new BigDecimal(seconds.group(1)).movePointRight(9).longValueExact());
        }
        try {
            return DurationFormat.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "' is not a duration such as 90, 1.5s, 2m or 1h30m");
        }
    }
}
