package dev.silkroute.app.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.quarkus.runtime.configuration.PathConverter;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.Converter;
import org.jspecify.annotations.Nullable;

/**
 * The configuration before Quarkus starts, from the same sources and with the same precedence as after that: options,
 * system properties, environment variables, the file {@code config/application.properties}, defaults. Immutable.
 */
public final class Configuration {
    private static final Path FILE = Path.of("config", "application.properties");
    private static final int OPTIONS = 500;
    private static final int SYSTEM_PROPERTIES = 400;
    private static final int ENVIRONMENT = 300;
    private static final int FILE_IN_DIRECTORY = 260;

    /** Above the priority of Quarkus's own converters. */
    private static final int PRIORITY = 300;

    private static final ConfigClass MAPPING = ConfigClass.configClass(StationConfig.class);

    /** A message of SmallRye Config about a value that could not be converted. */
    private static final Pattern CONVERSION =
            Pattern.compile("(?s).*The config property (\\S+) with the config value \"(.*?)\" threw an Exception.*");

    /** A message about an empty value where one is required. */
    private static final Pattern EMPTY =
            Pattern.compile("(?s).*The config property (\\S+) is defined as the empty String.*");

    private final Map<String, String> options;
    private final Map<String, String> properties;
    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final SmallRyeConfig config;

    private Configuration(
            Map<String, String> options,
            Map<String, String> properties,
            Map<String, String> environment,
            Map<String, String> file) {
        this.options = options;
        this.properties = properties;
        this.environment = environment;
        this.file = file;
        config = builder().withDefaultValues(MAPPING.getProperties()).build();
    }

    /**
     * Returns the configuration of this process.
     *
     * @throws UsageError if {@code config/application.properties} exists and cannot be read
     */
    public static Configuration ofProcess() {
        var properties = new TreeMap<String, String>();
        System.getProperties()
                .stringPropertyNames()
                .forEach(name -> properties.put(name, System.getProperty(name, "")));
        return of(properties, System.getenv(), read(FILE));
    }

    /** Returns the configuration with these system properties, environment variables and lines of the file. */
    public static Configuration of(
            Map<String, String> properties, Map<String, String> environment, Map<String, String> file) {
        return new Configuration(Map.of(), properties, environment, file);
    }

    /** Returns the same configuration with options of the command line, by the names of their keys. */
    public Configuration with(Map<String, String> commandLine) {
        return new Configuration(commandLine, properties, environment, file);
    }

    /** Returns the environment variable of a key: {@code SILKROUTE_BMP_PORT} for {@code silkroute.bmp-port}. */
    public static String variable(String key) {
        return ConfigKeys.variable(key);
    }

    /** Returns the key of an option: {@code silkroute.bmp-port} for {@code --bmp-port}; null if it has none. */
    public static @Nullable String key(String option) {
        var key = ConfigKeys.PREFIX + option.replaceFirst("^--", "");
        return ConfigKeys.isKnown(key) ? key : null;
    }

    /** Returns a value or its default; null if it has neither. */
    public @Nullable String find(String key) {
        var value = config.getConfigValue(key).getValue();
        return value == null || value.isBlank() ? null : value.strip();
    }

    /**
     * Returns the station's configuration.
     *
     * @throws UsageError if a key or a value is invalid
     */
    public StationConfig station() {
        checkNames();
        try {
            var valid = builder().withMapping(MAPPING).build();
            ConfigKeys.checkNumbers(valid);
            return valid.getConfigMapping(StationConfig.class);
        } catch (ConfigValidationException e) {
            throw new UsageError(message(e.getProblem(0).getMessage()), e);
        }
    }

    /**
     * Checks the names of all settings, whether or not the command uses them: one that is misspelled would have no
     * effect.
     *
     * @throws UsageError if a key or an environment variable is unknown
     */
    public void checkNames() {
        ConfigKeys.check("the options", options.keySet());
        ConfigKeys.check("the system properties", properties.keySet());
        ConfigKeys.checkVariables(environment);
        ConfigKeys.check(FILE.toString(), file.keySet());
    }

    private SmallRyeConfigBuilder builder() {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfile("prod")
                .withSources(
                        new PropertiesConfigSource(options, "options", OPTIONS),
                        new PropertiesConfigSource(properties, "system properties", SYSTEM_PROPERTIES),
                        new EnvConfigSource(environment, ENVIRONMENT),
                        new PropertiesConfigSource(file, FILE.toString(), FILE_IN_DIRECTORY))
                .withValidateUnknown(false)
                .withConverter(Duration.class, PRIORITY, new DurationFormat())
                .withConverter(Boolean.class, PRIORITY, (Converter<Boolean>) Configuration::strictBoolean)
                .withConverter(MemorySize.class, PRIORITY, new MemorySizeConverter())
                .withConverter(Path.class, PRIORITY, new PathConverter());
    }

    private static Boolean strictBoolean(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not true or false");
        };
    }

    /** Rewrites a message of SmallRye Config, such as SRCFG00039, for operators. */
    private static String message(String problem) {
        var conversion = CONVERSION.matcher(problem);
        if (conversion.matches()) {
            return ConfigKeys.invalid(conversion.group(1), conversion.group(2));
        }
        var empty = EMPTY.matcher(problem);
        return empty.matches()
                ? ConfigKeys.invalid(empty.group(1), "")
                : problem.replaceFirst("^\\S+: (SRCFG\\d+: )?", "");
    }

    private static Map<String, String> read(Path file) {
        var lines = new Properties();
        if (Files.exists(file)) {
            try (var reader = Files.newBufferedReader(file)) {
                lines.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new UsageError("cannot read " + file + ": " + OperatorError.reason(e), e);
            }
        }
        var found = new TreeMap<String, String>();
        lines.stringPropertyNames().forEach(name -> found.put(name, lines.getProperty(name)));
        return found;
    }
}
