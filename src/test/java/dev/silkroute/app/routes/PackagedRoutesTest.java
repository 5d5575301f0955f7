package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.silkroute.fixture.RouteEndpoints;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.camel.tooling.model.BaseOptionModel;
import org.apache.camel.tooling.model.ComponentModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The packaged routes against Camel's YAML schema and its catalog, to which the station's components are added. */
class PackagedRoutesTest {
    private static final Path ROUTES = Path.of("src/main/resources/routes");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchema SCHEMA = schema();

    private static JsonSchema schema() {
        try (InputStream in = PackagedRoutesTest.class.getResourceAsStream("/schema/camelYamlDsl.json")) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
                    .getSchema(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> yamlFiles() throws IOException {
        return files(".camel.yaml");
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(ROUTES)) {
            return files.filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static JsonNode read(Path file) throws IOException {
        return RouteEndpoints.parse(Files.readString(file));
    }

    /**
     * Puts their defaults in the place of settings that are the whole of a value: the schema requires a boolean
     * there.
     */
    private static JsonNode withDefaults(Path file) throws IOException {
        return RouteEndpoints.parse(Files.readString(file).replaceAll("\"\\{\\{[\\w.-]+:(true|false)}}\"", "$1"));
    }

    /** Kaoto and the catalog's validation of single options need them as parameters. XML routes have no such form. */
    @Test
    void optionsOfEndpointsAreParameters() throws IOException {
        for (Path file : files(".yaml")) {
            assertThat(RouteEndpoints.parse(Files.readString(file)).findValuesAsText("uri"))
                    .as(file.toString())
                    .noneMatch(uri -> uri.replaceAll("\\{\\{[^}]*}}", "").contains("?"));
        }
    }

    @Test
    void theDirectoryIsShortEnoughToReadAtAGlance() throws IOException {
        long lines = 0;
        for (Path file : files("")) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(files("")).hasSize(16);
        assertThat(lines).isLessThanOrEqualTo(320);
    }

    @ParameterizedTest
    @MethodSource("yamlFiles")
    void aFileIsValidByCamelsSchema(Path file) throws IOException {
        assertThat(SCHEMA.validate(withDefaults(file))).isEmpty();
    }

    @Test
    void routesStepsAndConfigurationsHaveIdsOfTheirOwnAndDescriptions() throws IOException {
        List<String> ids = new ArrayList<>();
        for (Path file : yamlFiles()) {
            RouteEndpoints.visit(read(file), (name, value) -> {
                if (List.of("route", "routeConfiguration", "routeTemplate", "to", "toD", "bean", "log")
                                .contains(name)
                        || List.of("split", "choice", "filter", "throwException")
                                .contains(name)) {
                    assertThat(value.path("id").asText())
                            .as(file + ": " + value)
                            .isNotEmpty();
                    assertThat(value.path("description").asText())
                            .as(file + ": " + value)
                            .isNotEmpty();
                    ids.add(value.get("id").asText());
                }
            });
        }
        assertThat(ids).doesNotHaveDuplicates().contains("collector", "history", "retry-always");
    }

    @Test
    void routesNameErrorHandlingThatExists() throws IOException {
        List<String> configurations = new ArrayList<>();
        List<String> named = new ArrayList<>();
        for (Path file : yamlFiles()) {
            RouteEndpoints.visit(read(file), (name, value) -> {
                if (name.equals("routeConfiguration")) {
                    configurations.add(value.get("id").asText());
                } else if (name.equals("routeConfigurationId")) {
                    named.add(value.asText());
                }
            });
        }
        assertThat(configurations).containsAll(named);
        assertThat(named).containsAll(configurations);
    }

    @ParameterizedTest
    @MethodSource("yamlFiles")
    void endpointsHaveOnlyOptionsThatTheirComponentsHave(Path file) throws IOException {
        String yaml = Files.readString(file).replace("{{to}}", "127.0.0.1:11019"); // the default of the templates
        RouteEndpoints.validate(RouteEndpoints.parse(yaml));
    }

    @Test
    void endpointsOfTheXmlFileMatchTheCatalog() throws Exception {
        for (Path file : files(".xml")) {
            var document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
            for (String step : List.of("from", "to")) {
                NodeList elements = document.getElementsByTagName(step);
                assertThat(elements.getLength()).isPositive();
                for (int i = 0; i < elements.getLength(); i++) {
                    String uri = ((Element) elements.item(i)).getAttribute("uri");
                    // Templates' parameters: one with its default, and optional ones, which Camel leaves out
                    uri = uri.replace("{{to}}", "127.0.0.1:11019").replaceAll("&\\w+=\\{\\{\\?\\w+}}", "");
                    RouteEndpoints.validate(uri, step.equals("from"));
                }
            }
        }
    }

    @Test
    void anOptionThatAComponentDoesNotHaveIsFound() {
        assertThat(RouteEndpoints.CATALOG
                        .validateEndpointProperties("lane:bmp.peers?lane=peers&bulk=true")
                        .getUnknown())
                .containsExactly("bulk");
        assertThat(RouteEndpoints.CATALOG
                        .validateEndpointProperties("lane:bmp.peers")
                        .getRequired())
                .containsExactly("lane");
    }

    @ParameterizedTest
    @CsvSource({
        "bmp, operat, operation",
        "lane, batchI, batchInterval",
        "netty-ff, maxReconnect, maxReconnectBackoff",
        "pgcopy, offset, offsetTable",
        "pgpipe, outputT, outputType",
        "pgstate, stale, staleTimeout",
        "replay, chunk, chunkSize",
        "rib, resync, resyncTimeout"
    })
    void anOptionOfEachComponentIsCompletedAndDocumented(String scheme, String begun, String completed) {
        ComponentModel model = RouteEndpoints.CATALOG.componentModel(scheme);
        Map<String, ComponentModel.EndpointOptionModel> options = new java.util.TreeMap<>();
        model.getEndpointOptions().stream()
                .filter(option -> option.getName().startsWith(begun))
                .forEach(option -> options.put(option.getName(), option));
        assertThat(options).containsOnlyKeys(completed);
        assertThat(model.getEndpointOptions())
                .extracting(BaseOptionModel::getDescription)
                .doesNotContainNull()
                .doesNotContain("");
    }

    @Test
    void theEditorsSettingsHaveTheCommittedMetadata() throws IOException {
        JsonNode extra = JSON.readTree(Files.readString(Path.of(".vscode/settings.json")))
                .get("camel.extra-components");
        assertThat(extra).hasSize(8);
        for (JsonNode component : extra) {
            ComponentModel model = RouteEndpoints.CATALOG.componentModel(
                    component.at("/component/scheme").asText());
            assertThat(component.get("properties").properties().stream()
                            .map(Map.Entry::getKey)
                            .toList())
                    .containsExactlyElementsOf(model.getEndpointOptions().stream()
                            .map(BaseOptionModel::getName)
                            .toList());
        }
    }
}
