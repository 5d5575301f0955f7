package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.quarkus.runtime.configuration.MemorySize;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources of the configuration, and the line that rejects an invalid key or value. */
class ConfigurationTest {
    private static final Map<String, String> NONE = Map.of();

    private static StationConfig of(
            Map<String, String> options,
            Map<String, String> properties,
            Map<String, String> environment,
            Map<String, String> file) {
        return Configuration.of(properties, environment, file).with(options).station();
    }

    /** All keys, with a value of their type that is not the default. */
    static Stream<Arguments> keys() {
        return ConfigKeys.MAPPED.keySet().stream()
                .flatMap(ConfigKeys::expand)
                .map(key -> arguments(
                        key.replace("kafka.*", "kafka.ssl.truststore.location")
                                .replace("config.*", "config.segment.bytes"),
                        example(key)));
    }

    private static String example(String key) {
        return switch (ConfigKeys.expected(key)) {
            case "an integer", "an integer of 0 or more", "a positive integer" -> "4711";
            case "a number" -> "0.5";
            case "true or false" ->
                Stream.of("silkroute.maintenance", "silkroute.reconcile", "silkroute.rpki.versions")
                                .anyMatch(key::startsWith)
                        ? "false"
                        : "true";
            case "a duration such as 500ms, 30s, 1h30m or 7d", "a positive duration such as 500ms, 30s, 1h30m or 7d" ->
                "4711s";
            case "a size such as 4096, 512M or 2G", "a positive size such as 4096, 512M or 2G" -> "4711M";
            case "a list of roles (collector, writer, rib, api) or all" -> "rib";
            case "one of strict, heuristic, force" -> "force";
            case "one of first-seen, pin, configured-only" -> "configured-only";
            case "one of san-dns, san-uri, cn, none" -> "san-uri";
            case "one of text, json" -> "json";
            default -> "/an/example";
        };
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyHasTheSameEffectInEverySource(String key, String value) {
        Map<String, String> property = Map.of(key, value);
        String expected = values(of(property, NONE, NONE, NONE));
        assertThat(expected).isNotEqualTo(values(of(NONE, NONE, NONE, NONE)));
        assertThat(values(of(NONE, property, NONE, NONE))).isEqualTo(expected);
        assertThat(values(of(NONE, NONE, Map.of(Configuration.variable(key), value), NONE)))
                .isEqualTo(expected);
        assertThat(values(of(NONE, NONE, NONE, property))).isEqualTo(expected);
    }

    @Test
    void optionsOverridePropertiesThenVariablesThenTheFile() {
        Map<String, String> environment = Map.of("SILKROUTE_BMP_PORT", "3", "SILKROUTE_HTTP_PORT", "3");
        Map<String, String> file =
                Map.of("silkroute.bmp-port", "4", "silkroute.http-port", "4", "silkroute.max-sessions", "4");
        StationConfig config = of(
                Map.of("silkroute.bmp-port", "1"),
                Map.of("silkroute.bmp-port", "2", "silkroute.session.max-peers", "2"),
                environment,
                file);
        assertThat(config.bmpPort()).isEqualTo(1);
        assertThat(config.session().maxPeers()).isEqualTo(2);
        assertThat(config.httpPort()).isEqualTo(3);
        assertThat(config.maxSessions()).isEqualTo(4);
        assertThat(config.state().staleTimeout()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void everyDefaultIsAValidValue() {
        Map<String, String> defaults = new TreeMap<>();
        ConfigKeys.MAPPED.forEach((key, property) -> {
            if (property.hasDefaultValue()) {
                defaults.put(key, Objects.requireNonNull(property.getDefaultValue()));
            }
        });
        assertThat(values(of(defaults, NONE, NONE, NONE))).isEqualTo(values(of(NONE, NONE, NONE, NONE)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "silkroute.bmp-port|x|'x' is not an integer: silkroute.bmp-port (SILKROUTE_BMP_PORT)",
                "silkroute.max-sessions|\"\"|'' is not a positive integer: silkroute.max-sessions (SILKROUTE_MAX_SESSIONS)",
                "silkroute.quota.store-delay|\"\"|'' is not a duration such as 500ms, 30s, 1h30m or 7d: silkroute.quota.store-delay (SILKROUTE_QUOTA_STORE_DELAY)",
                "silkroute.state.stale-timeout|3600|'3600' is not a positive duration such as 500ms, 30s, 1h30m or 7d: silkroute.state.stale-timeout (SILKROUTE_STATE_STALE_TIMEOUT)",
                "silkroute.topic.raw.retention|week|'week' is not a positive duration such as 500ms, 30s, 1h30m or 7d: silkroute.topic.raw.retention (SILKROUTE_TOPIC_RAW_RETENTION)",
                "silkroute.rib.memory|2 Gigabytes|'2 Gigabytes' is not a positive size such as 4096, 512M or 2G: silkroute.rib.memory (SILKROUTE_RIB_MEMORY)",
                "silkroute.changes.enabled|ture|'ture' is not true or false: silkroute.changes.enabled (SILKROUTE_CHANGES_ENABLED)",
                "silkroute.decode.add-path|maybe|'maybe' is not one of strict, heuristic, force: silkroute.decode.add-path (SILKROUTE_DECODE_ADD_PATH)",
                "silkroute.roles|collector,king|'collector,king' is not a list of roles (collector, writer, rib, api) or all: silkroute.roles (SILKROUTE_ROLES)"
            })
    void anInvalidValueIsReportedWithItsKey(String key, String value, String message) {
        assertRejected(key, value, message);
    }

    /** Keys of which 0 turns something off, stands for no limit or no wait, or is a port that the system chooses. */
    private static final Set<String> MAY_BE_ZERO = Set.of(
            "silkroute.alerts.max-counted-routes",
            "silkroute.alerts.max-tables",
            "silkroute.alerts.notification-interval",
            "silkroute.alerts.retention",
            "silkroute.alerts.webhook.retries",
            "silkroute.bmp-connect.max-retry-delay", // BmpConnect has the bounds of these three
            "silkroute.bmp-connect.retry-delay",
            "silkroute.bmp-connect.timeout",
            "silkroute.bmp-port",
            "silkroute.free-space.pause-below",
            "silkroute.free-space.resume-above",
            "silkroute.history.close-after",
            "silkroute.history.index-after",
            "silkroute.history.retention",
            "silkroute.http-port",
            "silkroute.live.recent-bytes",
            "silkroute.maintenance.delay",
            "silkroute.management-port",
            "silkroute.min-free-space",
            "silkroute.mirror.retention",
            "silkroute.peer-events.retention",
            "silkroute.quarantine.retention",
            "silkroute.quota.bytes-per-second",
            "silkroute.quota.messages-per-second",
            "silkroute.quota.peer-events-per-second",
            "silkroute.quota.routes-per-second",
            "silkroute.quota.sessions-per-address",
            "silkroute.quota.store-delay",
            "silkroute.reconcile.alarm-after",
            "silkroute.reconcile.delay",
            "silkroute.rib.index-memory",
            "silkroute.rib.metrics-limit",
            "silkroute.rpki.rtr.start-timeout",
            "silkroute.rpki.versions.max-withdrawn",
            "silkroute.rpki.versions.retention",
            "silkroute.sessions.max-dumping",
            "silkroute.sessions.metrics-limit",
            "silkroute.statistics.retention",
            "silkroute.store.dump-filter-bytes");

    /** Integers, sizes and durations. */
    static Stream<String> numbers() {
        return fixedKeys()
                .filter(key -> Pattern.compile("integer|size|duration")
                        .matcher(ConfigKeys.expected(key))
                        .find());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void zeroIsRejectedWhereItHasNoMeaning(String key) {
        String zero = ConfigKeys.expected(key).contains("duration") ? "0s" : "0";
        if (MAY_BE_ZERO.contains(key)) {
            assertThatCode(() -> of(NONE, NONE, NONE, Map.of(key, zero))).doesNotThrowAnyException();
        } else {
            assertRejected(
                    key,
                    zero,
                    "'" + zero + "' is not " + ConfigKeys.expected(key) + ": " + key + " ("
                            + Configuration.variable(key) + ")");
            assertThat(ConfigKeys.expected(key)).startsWith("a positive ");
        }
    }

    /** {@code RunCommandTest} has ports. */
    @ParameterizedTest
    @MethodSource("numbers")
    void negativeNumbersAreRejected(String key) {
        if (!key.endsWith("-port")) {
            String negative = ConfigKeys.expected(key).contains("duration") ? "-1s" : "-1";
            assertRejected(
                    key,
                    negative,
                    "'" + negative + "' is not " + ConfigKeys.expected(key) + ": " + key + " ("
                            + Configuration.variable(key) + ")");
        }
    }

    /** Keys whose values have a form that text can violate. */
    static Stream<String> typedKeys() {
        return fixedKeys().filter(key -> !ConfigKeys.expected(key).equals("a valid value"));
    }

    /** All keys whose name is not in part a name of Kafka's. */
    static Stream<String> fixedKeys() {
        return ConfigKeys.MAPPED.keySet().stream().flatMap(ConfigKeys::expand).filter(key -> !key.endsWith("*"));
    }

    /** Keys below a group, such as {@code silkroute.state.stale-timeout}. Topics have the names of other groups. */
    static Stream<String> groupedKeys() {
        return fixedKeys()
                .filter(key -> key.indexOf('.', ConfigKeys.PREFIX.length()) > 0 && !key.startsWith("silkroute.topic."));
    }

    @ParameterizedTest
    @MethodSource("typedKeys")
    void anInvalidValueIsReportedInEverySource(String key) {
        String value = example(key) + " apples";
        String expected = ConfigKeys.expected(key);
        assertRejected(
                key,
                value,
                "'" + value + "' is not " + expected + ": " + key + " (" + Configuration.variable(key) + ")");
    }

    /** Asserts that a value is reported with this message, whichever source it comes from. */
    private static void assertRejected(String key, String value, String message) {
        Map<String, String> property = Map.of(key, value);
        for (Supplier<?> source : List.<Supplier<?>>of(
                () -> of(property, NONE, NONE, NONE),
                () -> of(NONE, property, NONE, NONE),
                () -> of(NONE, NONE, Map.of(Configuration.variable(key), value), NONE),
                () -> of(NONE, NONE, NONE, property))) {
            assertThatThrownBy(source::get).isInstanceOf(UsageError.class).hasMessage(message);
        }
    }

    @ParameterizedTest
    @MethodSource("fixedKeys")
    void aKeyThatLacksItsLastLetterIsReportedWithTheKey(String key) {
        String misspelt = key.substring(0, key.length() - 1);
        assertUnknown(misspelt, key::equals);
        String variable = Configuration.variable(misspelt);
        if (!variable.startsWith("SILKROUTE_KAFKA_")) { // KafkaAccess rejects those that are not settings of Kafka
            assertThatThrownBy(() -> of(NONE, NONE, Map.of(variable, "1"), NONE))
                    .isInstanceOf(UsageError.class)
                    .hasMessage("unknown environment variable " + variable + ", did you mean "
                            + Configuration.variable(key) + "?");
        }
    }

    @ParameterizedTest
    @MethodSource("groupedKeys")
    void aKeyOutsideItsGroupIsReportedWithOneThatEndsLikeIt(String key) {
        String rest = key.substring(key.indexOf('.', ConfigKeys.PREFIX.length()) + 1);
        String misplaced = ConfigKeys.PREFIX + rest;
        // A key that differs in one letter, such as silkroute.roles from silkroute.rules, is nearer.
        assertUnknown(
                misplaced, nearest -> nearest.endsWith(rest) || Math.abs(nearest.length() - misplaced.length()) <= 1);
    }

    /** Asserts that a key is reported with its source and with a nearest one that meets a condition. */
    private static void assertUnknown(String key, Predicate<String> nearest) {
        Map<String, String> property = Map.of(key, "1");
        Map.<String, Supplier<?>>of(
                        "the options", () -> of(property, NONE, NONE, NONE),
                        "the system properties", () -> of(NONE, property, NONE, NONE),
                        "config/application.properties", () -> of(NONE, NONE, NONE, property))
                .forEach((source, configuration) -> assertThatThrownBy(configuration::get)
                        .isInstanceOf(UsageError.class)
                        .message()
                        .satisfies(message -> {
                            Matcher parts = Pattern.compile("unknown key (\\S+) in (.*), did you mean (\\S+)\\?")
                                    .matcher(message);
                            assertThat(parts.matches()).as(message).isTrue();
                            assertThat(parts.group(1)).isEqualTo(key);
                            assertThat(parts.group(2)).isEqualTo(source);
                            assertThat(parts.group(3)).matches(nearest, message);
                        }));
    }

    @ParameterizedTest
    @MethodSource("fixedKeys")
    void aKeyWithoutItsPrefixIsReportedInEverySource(String key) {
        Map<String, String> property = Map.of(key.substring(ConfigKeys.PREFIX.length()), "1");
        for (Supplier<?> source : List.<Supplier<?>>of(
                () -> of(property, NONE, NONE, NONE),
                () -> of(NONE, property, NONE, NONE),
                () -> of(NONE, NONE, NONE, property))) {
            assertThatThrownBy(source::get)
                    .isInstanceOf(UsageError.class)
                    .hasMessageEndingWith(" requires its prefix: " + key);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "silkroute.bmp-prot, silkroute.bmp-port",
        "silkroute.max-peers, silkroute.session.max-peers",
        "silkroute.stale-timeout, silkroute.state.stale-timeout",
        "silkroute.http.port, silkroute.http-port",
        "silkroute.routes.json, silkroute.routes.json.enabled",
        "silkroute.topic.bmp.raw.retention, silkroute.topic.raw.retention",
        "silkroute.topic.rwa.name, silkroute.topic.raw.name"
    })
    void anUnknownKeyIsReportedWithTheNearestOne(String unknown, String nearest) {
        assertThatThrownBy(() -> of(NONE, NONE, NONE, Map.of(unknown, "1")))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "unknown key " + unknown + " in config/application.properties, did you mean " + nearest + "?");
        assertThatThrownBy(() -> of(NONE, Map.of(unknown, "1"), NONE, NONE))
                .hasMessage("unknown key " + unknown + " in the system properties, did you mean " + nearest + "?");
        if (!unknown.equals("silkroute.http.port") && !unknown.contains("bmp.raw")) {
            assertThatThrownBy(() -> of(NONE, NONE, Map.of(Configuration.variable(unknown), "1"), NONE))
                    .hasMessage("unknown environment variable " + Configuration.variable(unknown) + ", did you mean "
                            + Configuration.variable(nearest) + "?");
        }
    }

    @Test
    void keysOfOthersAreIgnored() {
        assertThat(of(
                                NONE,
                                Map.of("camel.main.name", "x"),
                                Map.of("PATH", "/bin"),
                                Map.of("quarkus.log.level", "DEBUG"))
                        .bmpPort())
                .isEqualTo(11019);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SILKROUTE_BUILD=never",
                "SILKROUTE_JAVA_OPTS=-Xmx2g",
                "SILKROUTE_JDK_FOLDERS=/opt",
                "SILKROUTE_HUGE_PAGES=/opt/huge-pages",
                "SILKROUTE_SERVICE_HOST=10.0.0.1",
                "SILKROUTE_SERVICE_PORT_HTTP=8080",
                "SILKROUTE_PORT=tcp://10.0.0.1:8080",
                "SILKROUTE_API_PORT_8080_TCP_ADDR=10.0.0.1"
            })
    void variablesOfTheLauncherAndOfKubernetesAreIgnored(String variable) {
        String[] parts = variable.split("=");
        assertThat(of(NONE, NONE, Map.of(parts[0], parts[1]), NONE).httpPort()).isEqualTo(8080);
    }

    @Test
    void optionsWithoutAKeyHaveNone() {
        assertThat(Configuration.key("--bmp-port")).isEqualTo("silkroute.bmp-port");
        assertThat(Configuration.key("--help")).isNull();
    }

    /** Returns all values of a configuration as text, because the mapped objects have no equality. */
    private static String values(StationConfig config) {
        Map<String, String> values = new TreeMap<>();
        ConfigKeys.MAPPED.forEach((key, property) -> {
            if (!key.contains("*")) {
                values.put(key, value(config, key));
            }
        });
        values.put("kafka", config.kafka().toString());
        config.topic()
                .each()
                .forEach((topic, own) -> values.put(
                        topic.key(),
                        own.name() + " " + own.partitions() + " " + own.replication() + " " + own.retention() + " "
                                + own.retentionBytes().map(MemorySize::asLongValue) + " "
                                + new TreeMap<>(own.config())));
        return values.toString();
    }

    private static String value(StationConfig config, String key) {
        Object value = config;
        try {
            for (String part : key.substring(ConfigKeys.PREFIX.length()).split("\\.")) {
                String name = Pattern.compile("-(.)")
                        .matcher(part)
                        .replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT));
                value = interfaceOf(value).getMethod(name).invoke(value);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(key, e);
        }
        Object content = value instanceof Optional<?> optional && optional.isPresent() ? optional.get() : value;
        return content instanceof MemorySize size ? size.asBigInteger().toString() : content.toString();
    }

    /** The classes that implement the mapping are not public. */
    private static Class<?> interfaceOf(Object value) {
        return Arrays.stream(value.getClass().getInterfaces())
                .filter(type -> type.getPackageName().equals(StationConfig.class.getPackageName()))
                .findFirst()
                .orElseThrow();
    }
}
