package dev.silkroute.app.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks up settings by property name ({@code silkroute.bmp-port}): the system property, else the environment variable
 * ({@code SILKROUTE_BMP_PORT}), else the default. Immutable.
 */
public final class Settings {
    private final Map<String, String> properties;
    private final Map<String, String> environment;

    public Settings(Map<String, String> properties, Map<String, String> environment) {
        this.properties = Map.copyOf(properties);
        this.environment = Map.copyOf(environment);
    }

    /** Returns the settings of this process. */
    public static Settings ofProcess() {
        var properties = new TreeMap<String, String>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("silkroute."))
                .forEach(name -> properties.put(name, System.getProperty(name)));
        return new Settings(properties, System.getenv());
    }

    /** Returns the environment variable of a property: {@code SILKROUTE_BMP_PORT} for {@code silkroute.bmp-port}. */
    public static String variable(String property) {
        return property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Returns a setting without surrounding blanks, or null if it is absent or blank. */
    public @Nullable String find(String property) {
        var value = properties.get(property);
        if (value == null) {
            value = environment.get(variable(property));
        }
        return value == null || value.isBlank() ? null : value.strip();
    }

    public int integer(String property, int otherwise) {
        return read(property, Integer::valueOf, "an integer", otherwise);
    }

    /** Returns a duration such as {@code 7d}, {@code 12h}, {@code 30m}, {@code 45s} or {@code PT36H} (ISO 8601). */
    public Duration duration(String property, Duration otherwise) {
        return read(property, Settings::duration, "a duration such as 7d or 12h", otherwise);
    }

    public long bytes(String property, long otherwise) {
        return read(property, ByteSize::parse, "a byte size such as 512M", otherwise);
    }

    /**
     * Returns the properties below a prefix, without the prefix. Environment variables are not included, because
     * their names do not determine those of the properties.
     */
    public Map<String, String> below(String prefix) {
        var found = new TreeMap<String, String>();
        properties.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /**
     * Parses {@code 7d}, {@code 12h}, {@code 30m}, {@code 45s} or ISO 8601.
     *
     * @throws RuntimeException if the string is not a duration
     */
    public static Duration duration(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("p")) {
            return Duration.parse(lower);
        }
        return Duration.parse(lower.endsWith("d") ? "p" + lower : "pt" + lower);
    }

    private <T> T read(String property, Function<String, T> parser, String kind, T otherwise) {
        var text = find(property);
        if (text == null) {
            return otherwise;
        }
        try {
            return parser.apply(text);
        } catch (RuntimeException e) {
            throw new UsageError(
                    "'" + text + "' is not " + kind + ": " + property + " (" + variable(property) + ")", e);
        }
    }
}
