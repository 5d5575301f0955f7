package dev.silkroute.app.config;

import dev.silkroute.fixture.GeneratedPage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The tables of keys in {@code docs/reference/configuration.md}. */
class ConfigurationPageTest {
    private static final GeneratedPage PAGE = GeneratedPage.at("docs/reference/configuration.md");

    @Test
    void keys() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        ConfigKeys.MAPPED.forEach((key, property) -> {
            Description description = Objects.requireNonNull(
                    property.getMethod().getAnnotation(Description.class), () -> key + " has no description");
            String constant = property.hasDefaultValue() ? "`" + property.getDefaultValue() + "`" : "";
            rows.add(List.of(
                    "`" + key.replace("topic.*", "topic.TOPIC").replace("*", "NAME") + "`",
                    constant + description.defaultText(),
                    description.value()));
        });
        PAGE.assertSection("keys", GeneratedPage.table(List.of("key", "default", "meaning"), rows));
    }

    @Test
    void topics() throws IOException {
        PAGE.assertSection(
                "topics",
                GeneratedPage.table(
                        List.of("`TOPIC`", "default of `silkroute.topic.TOPIC.name`", "default retention"),
                        Arrays.stream(StationTopic.values())
                                .map(topic -> List.of(
                                        "`" + topic.key() + "`",
                                        "`" + topic.defaultName() + "`",
                                        "`" + days(topic.defaultRetention()) + "`"))
                                .toList()));
    }

    private static String days(Duration duration) {
        return duration.toDays() + "d";
    }
}
