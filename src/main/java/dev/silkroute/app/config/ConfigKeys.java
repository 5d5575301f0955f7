package dev.silkroute.app.config;

import dev.silkroute.net.NearestName;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMappingInterface.Property;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.SmallRyeConfig;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of {@link StationConfig}: those known, the form of their values, and the one nearest to an unknown key. */
final class ConfigKeys {
    static final String PREFIX = "silkroute.";

    /** The keys of the mapping, with {@code *} for the key of a topic and for names of Kafka's settings. */
    static final Map<String, Property> MAPPED =
            new TreeMap<>(ConfigMappings.getProperties(ConfigClass.configClass(StationConfig.class)));

    private static final String TOPIC = PREFIX + "topic.*.";
    private static final String VARIABLE_PREFIX = variable(PREFIX);

    /** All keys; one that ends with a dot is the prefix of any number of keys. */
    private static final Set<String> KEYS = MAPPED.keySet().stream()
            .flatMap(ConfigKeys::expand)
            .map(key -> key.endsWith("*") ? key.substring(0, key.length() - 1) : key)
            .collect(Collectors.toCollection(TreeSet::new));

    private static final Set<String> VARIABLES =
            KEYS.stream().map(ConfigKeys::variable).collect(Collectors.toCollection(TreeSet::new));

    private static final Set<String> LAUNCHER_VARIABLES =
            Set.of("SILKROUTE_BUILD", "SILKROUTE_HUGE_PAGES", "SILKROUTE_JAVA_OPTS", "SILKROUTE_JDK_FOLDERS");

    /** Variables that Kubernetes sets in pods for a Service whose name begins with silkroute. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_SERVICE_(HOST|PORT(_.*)?)|.*_PORT_\\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?");

    private static final Pattern SERVICE_URL = Pattern.compile("(tcp|udp|sctp)://.*");

    private ConfigKeys() {}

    /**
     * Marks a key whose number, size or duration must not be 0, because 0 has no meaning for it. Negative ones are
     * rejected for every key. A duration below one millisecond counts as 0.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Positive {}

    /** Returns the environment variable of a key: {@code SILKROUTE_BMP_PORT} for {@code silkroute.bmp-port}. */
    static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    static boolean isKnown(String key) {
        return contains(KEYS, key, ".");
    }

    /**
     * Checks the names of properties from one source.
     *
     * @throws UsageError if one is below {@code silkroute.} and is not a key, or is a key without this prefix
     */
    static void check(String source, Set<String> names) {
        for (var name : names) {
            if (name.startsWith(PREFIX) && !isKnown(name)) {
                throw new UsageError(
                        "unknown key " + name + " in " + source + ", did you mean " + NearestName.of(name, KEYS) + "?");
            }
            if (isKnown(PREFIX + name)) {
                throw new UsageError("key " + name + " in " + source + " requires its prefix: " + PREFIX + name);
            }
        }
    }

    /** @throws UsageError if the name of a variable begins with {@code SILKROUTE_} and belongs to no key */
    static void checkVariables(Map<String, String> environment) {
        environment.forEach((name, value) -> {
            if (name.startsWith(VARIABLE_PREFIX)
                    && !contains(VARIABLES, name, "_")
                    && !LAUNCHER_VARIABLES.contains(name)
                    && !SERVICE_LINK.matcher(name).matches()
                    && !SERVICE_URL.matcher(value).matches()) {
                throw new UsageError("unknown environment variable " + name + ", did you mean "
                        + NearestName.of(name, VARIABLES) + "?");
            }
        });
    }

    /** Describes the values of a key, such as "an integer". */
    static String expected(String key) {
        var method = method(key);
        var type = method == null ? null : type(method);
        var positive = method != null && isPositive(method) ? "a positive " : null;
        if (isInteger(type)) {
            return positive == null ? "an integer" + (isPort(key) ? "" : " of 0 or more") : positive + "integer";
        } else if (type == double.class) {
            return "a number";
        } else if (type == boolean.class) {
            return "true or false";
        } else if (type == Duration.class) {
            return Objects.requireNonNullElse(positive, "a ") + "duration such as 500ms, 30s, 1h30m or 7d";
        } else if (type == MemorySize.class) {
            return Objects.requireNonNullElse(positive, "a ") + "size such as 4096, 512M or 2G";
        } else if (type == Roles.class) {
            return "a list of roles (collector, writer, rib, api) or all";
        } else if (type instanceof Class<?> choice && choice.isEnum()) {
            return Arrays.stream(choice.getEnumConstants())
                    .map(constant ->
                            constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        return "a valid value";
    }

    /**
     * Checks that numbers are not negative, and not 0 where {@link Positive} excludes it. Whoever opens a port checks
     * its number.
     *
     * @throws UsageError if one is
     */
    static void checkNumbers(SmallRyeConfig config) {
        MAPPED.forEach((mapped, property) -> {
            var least = isPositive(property.getMethod()) ? 1 : 0;
            expand(mapped).filter(key -> !isPort(key)).forEach(key -> {
                var number = number(config, key, type(property.getMethod()));
                if (number.isPresent() && number.getAsLong() < least) {
                    throw new UsageError(invalid(key, config.getConfigValue(key).getValue()));
                }
            });
        });
    }

    /** Returns the message about a value that a key cannot have. */
    static String invalid(String key, @Nullable String value) {
        return "'" + value + "' is not " + expected(key) + ": " + key + " (" + variable(key) + ")";
    }

    /** Returns an integer, a size in bytes or a duration in milliseconds. */
    private static OptionalLong number(SmallRyeConfig config, String key, Type type) {
        return (type == Duration.class
                        ? config.getOptionalValue(key, Duration.class).map(Duration::toMillis)
                        : type == MemorySize.class
                                ? config.getOptionalValue(key, MemorySize.class).map(MemorySize::asLongValue)
                                : isInteger(type) ? config.getOptionalValue(key, Long.class) : Optional.<Long>empty())
                .stream().mapToLong(Long::longValue).findFirst();
    }

    private static boolean isInteger(@Nullable Type type) {
        return type == int.class || type == long.class || type == OptionalInt.class;
    }

    private static boolean isPositive(Method method) {
        return method.isAnnotationPresent(Positive.class);
    }

    private static boolean isPort(String key) {
        return key.endsWith("-port");
    }

    /** Returns the type of a key's value, without Optional. */
    private static Type type(Method method) {
        return method.getGenericReturnType() instanceof ParameterizedType optional
                ? optional.getActualTypeArguments()[0]
                : method.getGenericReturnType();
    }

    private static @Nullable Method method(String key) {
        return MAPPED.entrySet().stream()
                .filter(mapped -> expand(mapped.getKey()).anyMatch(key::equals))
                .map(mapped -> mapped.getValue().getMethod())
                .findFirst()
                .orElse(null);
    }

    static Stream<String> expand(String mapped) {
        return mapped.startsWith(TOPIC)
                ? Arrays.stream(StationTopic.values())
                        .map(topic -> PREFIX + "topic." + topic.key() + "." + mapped.substring(TOPIC.length()))
                : Stream.of(mapped);
    }

    private static boolean contains(Set<String> names, String name, String separator) {
        return !name.endsWith(separator)
                && (names.contains(name)
                        || names.stream().anyMatch(known -> known.endsWith(separator) && name.startsWith(known)));
    }
}
