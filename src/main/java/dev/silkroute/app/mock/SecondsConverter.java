package dev.silkroute.app.mock;

import dev.silkroute.app.config.Settings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time in seconds: {@code 90} and {@code 0.5}, or as settings have it, {@code 15s}, {@code 2m}, {@code 1h}. */
final class SecondsConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        try {
            // "1d" is a day, though Double would read it too
            return Character.isDigit(text.charAt(text.length() - 1))
                    ? Double.valueOf(text)
                    : Double.valueOf(Settings.duration(text).toNanos() / 1e9);
        } catch (RuntimeException e) {
            throw new TypeConversionException("'" + text + "' is no length of time such as 90, 15s or 2m");
        }
    }
}
