package dev.silkroute.app.mock;

import dev.silkroute.app.config.DurationFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts a duration to seconds: a number such as {@code 90} or {@code 0.5}, or one with a unit, {@code 15s}, {@code
 * 2m}.
 */
final class SecondsConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            // "1d" is one day; Double.valueOf alone would read it as the number 1.
            return Character.isDigit(text.charAt(text.length() - 1))
                    ? Double.valueOf(text)
                    : Double.valueOf(DurationFormat.parse(text).toNanos() / 1e9);
        } catch (RuntimeException e) {
            throw new TypeConversionException("'" + text + "' is not a duration such as 90, 15s or 2m");
        }
    }
}
