package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of keys in {@code docs/reference/configuration.md}. */
class ConfigurationPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `(silkroute\\.[\\w.-]+)`[^|]* \\| ?([^|]*)\\|");
    private static final Pattern IN_PROSE = Pattern.compile("`(silkroute\\.[a-z.-]+)` \\((`[^`]+`|[\\d,.]+[^)]*)\\)");
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

    /** Prose that mentions a key with its default has it as it can be configured: {@code `silkroute.x` (`2m`)}. */
    @Test
    void defaultsInProseAreThoseOfTheMapping() {
        int found = 0;
        Map<String, String> wrong = new TreeMap<>();
        for (MarkdownPage page : MarkdownPage.all()) {
            for (String line : page.prose()) {
                Matcher mention = IN_PROSE.matcher(line);
                while (mention.find() && (page.isIn("docs") || page.isIn("README.md")) && !page.isIn("docs/adr")) {
                    found++;
                    var property = ConfigKeys.MAPPED.get(mention.group(1));
                    if (property == null || !mention.group(2).equals("`" + property.getDefaultValue() + "`")) {
                        wrong.put(page + ": " + mention.group(1), mention.group(2));
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(7);
        assertThat(wrong).isEmpty();
    }

    /** The limits of pools in the reference of {@code pgpipe:}. */
    @Test
    void limitsOfPipelinesAreTheDefaults() throws IOException {
        PipelineLimits limits = PipelineLimits.DEFAULT;
        assertThat(Files.readString(Path.of("docs/reference/pgpipe.md")).replaceAll("\\s+", " "))
                .contains(String.format(
                        Locale.ROOT,
                        "connections (%d), callers that wait for a connection (%d) and how long (%d s), prepared statements cached"
                                + " per connection (%d); and per pipeline: statements (%,d), bytes of parameters (%d MiB), rows of"
                                + " all results (%,d), time (%d min).",
                        limits.connections(),
                        limits.waiting(),
                        limits.waitLimit().toSeconds(),
                        limits.prepared(),
                        limits.statements(),
                        limits.bytes() >> 20,
                        limits.rows(),
                        limits.timeout().toMinutes()));
    }

    private static String days(Duration duration) {
        return duration.toDays() + "d";
    }
}
