package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/reference/beans.md lists the beans of the station, as Camel's metadata describes them. */
class BeansPageTest {
    private static final Path BEANS = Path.of("src/generated/resources/META-INF/services/org/apache/camel/bean");
    private static final Path ROUTES = Path.of("src/main/resources/routes");
    private static final String INTRODUCTION = """
        # Beans

        A route may refer to these beans of the station: as the value of an option, `rib: "#rib"`, or as a step,
        `bean: {ref: maintenance, method: run}`. They exist only in a process that has the role of the packaged routes
        in the last column. In addition there are two data sources: the default one, and `#bulk`, whose connections are for
        the lanes `history` and `current`.

        This page is generated from the same metadata that Kaoto and the Camel language server read ([edit routes](../how-to/edit-routes.md)).
        """;

    @Test
    void pageIsCurrent() throws IOException {
        TreeMap<String, String> routes = new TreeMap<>();
        try (Stream<Path> files = Files.list(ROUTES)) {
            for (Path file : files.toList()) {
                routes.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(BEANS)) {
            for (Path file : files.sorted().toList()) {
                JsonNode bean = new ObjectMapper().readTree(file.toFile()).get("bean");
                String name = bean.get("name").asText();
                Pattern reference = Pattern.compile("(?:#|ref: )" + Pattern.quote(name) + "\\b");
                rows.add(List.of(
                        "`" + name + "`",
                        bean.get("description").asText(),
                        "`" + bean.get("javaType").asText().replaceFirst(".*\\.", "") + "`",
                        routes.entrySet().stream()
                                .filter(route ->
                                        reference.matcher(route.getValue()).find())
                                .map(route -> "`" + route.getKey() + "`")
                                .collect(Collectors.joining(", "))));
            }
        }
        assertThat(rows).hasSizeGreaterThan(15);
        GeneratedPage.at("docs/reference/beans.md")
                .assertIs(INTRODUCTION + "\n"
                        + GeneratedPage.table(List.of("bean", "description", "Java type", "packaged routes"), rows));
    }
}
