package dev.silkroute.component;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.GeneratedPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference page of each component has its options and headers, as Camel's metadata describes them. */
class ComponentPagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path METADATA = Path.of("src/generated/resources/META-INF/dev/silkroute/component");
    private static final Map<String, String> PAGES = new TreeMap<>(Map.of(
            "bmp", "bmp-component.md",
            "lane", "lane.md",
            "netty-ff", "netty-ff.md",
            "pgcopy", "pgcopy.md",
            "pgpipe", "pgpipe.md",
            "pgstate", "pgstate.md",
            "replay", "replay-component.md",
            "rib", "rib.md"));

    /** Options that every component of Camel has. */
    private static final Set<String> COMMON = Set.of(
            "lazyStartProducer",
            "autowiredEnabled",
            "bridgeErrorHandler",
            "exceptionHandler",
            "exchangePattern",
            "sendEmptyMessageWhenIdle",
            "pollStrategy");

    static Set<String> components() {
        return PAGES.keySet();
    }

    private static JsonNode metadata(String component) throws IOException {
        try (Stream<Path> files = Files.walk(METADATA)) {
            Path file = files.filter(each -> each.endsWith(component + ".json"))
                    .findFirst()
                    .orElseThrow();
            return JSON.readTree(file.toFile());
        }
    }

    /** What the component inherits: {@code netty-ff:} has all options of camel-netty. */
    private static JsonNode inherited(JsonNode component) throws IOException {
        if (!component.path("component").path("scheme").asText().equals("netty-ff")) {
            return JSON.createObjectNode();
        }
        try (InputStream in = Objects.requireNonNull(ComponentPagesTest.class
                .getClassLoader()
                .getResourceAsStream("META-INF/org/apache/camel/component/netty/netty.json"))) {
            return JSON.readTree(in);
        }
    }

    private static boolean isOwn(String name, JsonNode option, JsonNode inherited) {
        JsonNode same = inherited.path(name);
        return !COMMON.contains(name)
                && !option.path("group").asText().equals("scheduler")
                && (same.isMissingNode() || !same.path("defaultValue").equals(option.path("defaultValue")));
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static List<List<String>> options(JsonNode options, JsonNode inherited) {
        List<List<String>> rows = new ArrayList<>();
        options.properties().forEach(entry -> {
            JsonNode option = entry.getValue();
            if (isOwn(entry.getKey(), option, inherited)) {
                String type = option.path("enum").isArray()
                        ? option.path("enum")
                                .valueStream()
                                .map(value -> code(value.asText()))
                                .collect(Collectors.joining(", "))
                        : option.path("type").asText();
                String presence = option.path("kind").asText().equals("path")
                        ? "in the path"
                        : option.path("required").asBoolean()
                                ? "required"
                                : code(option.path("defaultValue").asText());
                rows.add(List.of(
                        code(entry.getKey()),
                        presence,
                        type,
                        option.path("description").asText()));
            }
        });
        return rows;
    }

    private static List<List<String>> headers(JsonNode headers, JsonNode inherited) {
        List<List<String>> rows = new ArrayList<>();
        headers.properties().forEach(header -> {
            if (inherited.path(header.getKey()).isMissingNode()) {
                rows.add(List.of(
                        code(header.getKey()),
                        header.getValue().path("javaType").asText().replaceFirst("^java\\.(lang|util)\\.", ""),
                        header.getValue().path("description").asText()));
            }
        });
        return rows;
    }

    @ParameterizedTest
    @MethodSource("components")
    void optionsAndHeadersAreCurrent(String component) throws IOException {
        JsonNode metadata = metadata(component);
        JsonNode inherited = inherited(metadata);
        JsonNode summary = metadata.path("component");
        String side = summary.path("producerOnly").asBoolean()
                ? "Producer only: use it in `to`."
                : summary.path("consumerOnly").asBoolean()
                        ? "Consumer only: use it in `from`."
                        : "Consumer and producer.";
        StringBuilder section = new StringBuilder("`" + summary.path("syntax").asText() + "`: "
                + summary.path("description").asText() + " " + side + "\n\n");
        List<String> header = List.of("option", "default", "type", "meaning");
        section.append(GeneratedPage.table(header, options(metadata.path("properties"), inherited.path("properties"))));
        List<List<String>> own = options(metadata.path("componentProperties"), inherited.path("componentProperties"));
        boolean inheritsOptions = !inherited.isEmpty(); // those of the component repeat those of the endpoint
        if (!own.isEmpty() && !inheritsOptions) {
            section.append("\nOptions of the component (`camel.component.")
                    .append(component)
                    .append(".…`):\n\n")
                    .append(GeneratedPage.table(header, own));
        }
        List<List<String>> headers = headers(metadata.path("headers"), inherited.path("headers"));
        if (!headers.isEmpty()) {
            section.append("\nHeaders of messages:\n\n")
                    .append(GeneratedPage.table(List.of("header", "type", "meaning"), headers));
        }

        GeneratedPage.at("docs/reference/" + PAGES.get(component)).assertSection("options", section.toString());
    }

    @Test
    void everyComponentHasAPage() throws IOException {
        try (Stream<Path> files = Files.walk(METADATA)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".json"))
                            .map(name -> name.replace(".json", "")))
                    .containsExactlyInAnyOrderElementsOf(PAGES.keySet());
        }
    }
}
