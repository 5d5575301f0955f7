package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of keys in {@code docs/reference/configuration.md}. */
class ConfigurationPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `(silkroute\\.[\\w.-]+)`[^|]* \\| ?([^|]*)\\|");
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
                                        topic.isCompacted()
                                                ? "none: compacted"
                                                : "`" + days(topic.defaultRetention()) + "`"))
                                .toList()));
    }

    /** Tables of other pages contain keys that exist, with the default as it can be configured. */
    @Test
    void keysAndDefaultsOnOtherPagesAreThoseOfTheMapping() {
        Map<String, String> wrong = new TreeMap<>();
        for (MarkdownPage page : MarkdownPage.all()) {
            for (String line : page.prose()) {
                Matcher row = ROW.matcher(line);
                if (row.lookingAt() && page.isIn("docs") && !page.isIn("docs/reference/configuration.md")) {
                    var property = ConfigKeys.MAPPED.get(row.group(1).replace("topic.TOPIC", "topic.*"));
                    String shown = row.group(2).replace("`", "").strip();
                    boolean right = property != null
                            && (!property.hasDefaultValue() || shown.equals(property.getDefaultValue()));
                    if (!right && !row.group(1).contains("NAME")) {
                        wrong.put(page + ": " + row.group(1), shown);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String days(Duration duration) {
        return duration.toDays() + "d";
    }
}
