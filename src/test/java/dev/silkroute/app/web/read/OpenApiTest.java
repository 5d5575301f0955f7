package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The OpenAPI document and docs/reference/rest.md describe the same operations and parameters. */
class OpenApiTest {
    private static final String BASE = "/api/v1";

    @Test
    void everyOperationAndParameterIsInTheReference() throws IOException {
        String page = Files.readString(Path.of("docs/reference/rest.md"));
        JsonNode document = new YAMLMapper()
                .readTree(Path.of("src/main/resources/META-INF/openapi.yaml").toFile());
        TreeSet<String> documented = new TreeSet<>();
        page.lines().filter(line -> line.startsWith("| `/")).forEach(line -> {
            for (String cell : line.split("\\|")[1].split(",")) {
                documented.add(BASE + cell.strip().replaceAll("[`]|\\?.*", ""));
            }
        });
        TreeSet<String> described = new TreeSet<>();
        document.path("paths").fieldNames().forEachRemaining(described::add);
        assertThat(described).isEqualTo(documented);
        assertThat(document.at("/components/parameters").size()).isGreaterThan(20);
        document.at("/components/parameters")
                .fieldNames()
                .forEachRemaining(name -> assertThat(page).contains("`" + name + "`"));
    }
}
