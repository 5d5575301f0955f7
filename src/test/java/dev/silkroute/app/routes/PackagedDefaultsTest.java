package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.component.bmp.LaneRecords;
import dev.silkroute.component.pgstate.PgStateComponent;
import dev.silkroute.component.rib.RibComponent;
import dev.silkroute.session.LaneName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** The defaults that packaged routes repeat, so that they also run in any other Camel application. */
class PackagedDefaultsTest {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{silkroute\\.([a-z.-]+)(?::([^}]*))?}}");

    /** The lanes whose messages carry the name of their topic. */
    private static final Set<String> LANES = Stream.concat(
                    Arrays.stream(LaneName.values()).map(LaneName::text), Stream.of("resync"))
            .collect(Collectors.toSet());

    @Test
    void defaultsInRoutesAreThoseOfTheConfiguration() throws IOException {
        Configuration configuration = Configuration.of(Map.of(), Map.of(), Map.of());
        Map<String, String> topics = Arrays.stream(StationTopic.values())
                .collect(Collectors.toMap(topic -> "topic." + topic.key() + ".name", StationTopic::defaultName));
        Map<String, String> inRoutes = new TreeMap<>();
        Map<String, String> expected = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/routes"))) {
            for (Path file : files.toList()) {
                PLACEHOLDER.matcher(Files.readString(file)).results().forEach(found -> {
                    String key = found.group(1);
                    String place = file.getFileName() + " " + key;
                    inRoutes.put(place, Objects.requireNonNullElse(found.group(2), "(none)"));
                    String known = topics.getOrDefault(key, configuration.find("silkroute." + key));
                    // The station sets address and port of its listener.
                    expected.put(place, key.startsWith("bmp-") ? "(none)" : Objects.requireNonNullElse(known, ""));
                });
            }
        }
        assertThat(inRoutes).hasSizeGreaterThan(30).isEqualTo(expected);
    }

    @Test
    void messagesOfLanesHaveTheTopicsOfTheConfiguration() throws Exception {
        try (var camel = new DefaultCamelContext()) {
            camel.getPropertiesComponent().setInitialProperties(properties("silkroute.topic.stats.name", "other"));
            LaneRecords records = new LaneRecords(camel);
            List<String> topics = new ArrayList<>();
            for (StationTopic topic : StationTopic.values()) {
                if (LANES.contains(topic.key())) {
                    records.add(topic.key(), "router", new byte[0]);
                    topics.add(topic == StationTopic.STATS ? "other" : topic.defaultName());
                }
            }
            assertThat(topics).hasSameSizeAs(LANES);
            assertThat(records)
                    .extracting(message -> message.removeHeader(KafkaConstants.OVERRIDE_TOPIC))
                    .isEqualTo(topics);
            assertThat(records)
                    .as("when they are sent again")
                    .extracting(message -> message.getHeader(KafkaConstants.OVERRIDE_TOPIC))
                    .isEqualTo(topics);
        }
    }

    @Test
    void timeoutsOfStaleRoutesAreThoseOfTheConfiguration() {
        var state = Configuration.of(Map.of(), Map.of(), Map.of()).station().state();
        RibComponent rib = new RibComponent();
        PgStateComponent pgstate = new PgStateComponent();
        assertThat(List.of(rib.getStaleTimeout(), pgstate.getStaleTimeout())).containsOnly(state.staleTimeout());
        assertThat(List.of(rib.getResyncTimeout(), pgstate.getResyncTimeout())).containsOnly(state.resyncTimeout());
    }

    private static Properties properties(String key, String value) {
        var properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }

    @Test
    void routesUseEveryTopicExceptThatOfTheCollectors() throws IOException {
        StringBuilder routes = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/routes"))) {
            for (Path file : files.toList()) {
                routes.append(Files.readString(file));
            }
        }
        assertThat(StationTopic.values())
                .filteredOn(topic -> topic != StationTopic.IDENTITIES)
                .allSatisfy(topic -> assertThat(routes).contains("{{silkroute.topic." + topic.key() + ".name:"));
    }
}
