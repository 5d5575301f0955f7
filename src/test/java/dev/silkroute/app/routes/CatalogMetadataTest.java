package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.RouteEndpoints;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.apache.camel.tooling.model.BaseOptionModel;
import org.apache.camel.tooling.model.ComponentModel;
import org.apache.camel.tooling.model.JsonMapper;
import org.apache.camel.tooling.model.PojoBeanModel;
import org.apache.camel.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The metadata from which Camel's catalog and editors know the station's components and beans. Camel's generator writes
 * the JSON of components; the lists of components and beans, and the JSON of beans, are written by this test.
 */
class CatalogMetadataTest {
    private static final String SERVICES = "src/generated/resources/META-INF/services/org/apache/camel/";
    private static final Set<String> DATA_SOURCES = Set.of("bulk");
    /** The sentence that Camel's catalog appends to the description of an option with a prefix. */
    private static final Pattern MULTI_VALUE = Pattern.compile("\\.? This is a multi-value option with prefix: .*");

    private static final Pattern REFERENCE = Pattern.compile("\"#(\\w+)\"|\\bref: (\\w+)");

    /** By name, a class or the method that produces the bean. */
    private static final Map<String, AnnotatedElement> BEANS = new TreeMap<>();

    private static List<Class<?>> endpoints = List.of();

    @BeforeAll
    static void findClasses() {
        List<Class<?>> classes = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("dev.silkroute.app", "dev.silkroute.component")
                        .stream()
                        .filter(each -> each.isAnnotatedWith(Named.class)
                                || each.isAnnotatedWith(UriEndpoint.class)
                                || each.getMethods().stream().anyMatch(method -> method.isAnnotatedWith(Named.class)))
                        .<Class<?>>map(JavaClass::reflect)
                        .toList();
        for (Class<?> each : classes) {
            Stream.concat(Stream.of(each), Stream.of(each.getDeclaredMethods()))
                    .filter(element -> element.isAnnotationPresent(Named.class))
                    .forEach(element ->
                            BEANS.put(element.getAnnotation(Named.class).value(), element));
        }
        endpoints = classes.stream()
                .filter(each -> each.isAnnotationPresent(UriEndpoint.class))
                .toList();
    }

    static Set<String> schemes() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(SERVICES, "component"))) {
            return new TreeSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    private static ComponentModel component(String scheme) {
        return Objects.requireNonNull(RouteEndpoints.CATALOG.componentModel(scheme));
    }

    @Test
    void theListsOfComponentsAndBeansAreComplete() throws IOException {
        assertThat(endpoints)
                .extracting(each -> each.getAnnotation(UriEndpoint.class).scheme())
                .containsExactlyInAnyOrderElementsOf(schemes());
        GeneratedPage.at(SERVICES + "component.properties").assertIs(list("components", schemes()));
        GeneratedPage.at(SERVICES + "bean.properties").assertIs(list("bean", BEANS.keySet()));
    }

    /** In the form of Camel's own generator. */
    private static String list(String kind, Set<String> names) throws IOException {
        ComponentModel any = component(schemes().iterator().next());
        return """
                %s=%s
                groupId=%s
                artifactId=%s
                version=%s
                projectName=Silkroute
                projectDescription=A BMP monitoring station
                """.formatted(kind, String.join(" ", names), any.getGroupId(), any.getArtifactId(), any.getVersion());
    }

    @Test
    void eachBeanIsDescribed() throws IOException {
        ComponentModel any = component(schemes().iterator().next());
        List<String> files = new ArrayList<>();
        for (Map.Entry<String, AnnotatedElement> bean : BEANS.entrySet()) {
            AnnotatedElement element = bean.getValue();
            Metadata metadata = element.getAnnotation(Metadata.class);
            assertThat(metadata).as("@Metadata of %s", element).isNotNull();
            Class<?> type = element instanceof Method method ? method.getReturnType() : (Class<?>) element;
            PojoBeanModel model = new PojoBeanModel();
            model.setName(bean.getKey());
            model.setTitle(StringHelper.capitalize(bean.getKey().replaceAll("([A-Z])", " $1")));
            model.setJavaType(type.getName());
            model.setDescription(metadata.description());
            model.setGroupId(any.getGroupId());
            model.setArtifactId(any.getArtifactId());
            model.setVersion(any.getVersion());
            GeneratedPage.at(SERVICES + "bean/" + bean.getKey() + ".json")
                    .assertIs(JsonMapper.createParameterJsonSchema(model));
            PojoBeanModel read = RouteEndpoints.CATALOG.pojoBeanModel(bean.getKey());
            assertThat(read.getJavaType()).isEqualTo(type.getName());
            assertThat(read.getDescription()).isNotEmpty().isEqualTo(metadata.description());
            files.add(bean.getKey() + ".json");
        }
        try (Stream<Path> present = Files.list(Path.of(SERVICES, "bean"))) {
            assertThat(present.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(files);
        }
    }

    @Test
    void packagedRoutesNameOnlyBeansOfTheCatalog() throws IOException {
        Set<String> named = new TreeSet<>();
        for (Path file : PackagedRoutesTest.yamlFiles()) {
            REFERENCE
                    .matcher(Files.readString(file))
                    .results()
                    .map(CatalogMetadataTest::name)
                    .forEach(named::add);
        }
        named.removeAll(DATA_SOURCES);
        assertThat(named).hasSizeGreaterThan(10).isSubsetOf(BEANS.keySet());
    }

    private static String name(MatchResult reference) {
        return Objects.requireNonNullElseGet(reference.group(1), () -> reference.group(2));
    }

    /** What an editor does with the class path: from the list to the class, and from there to the JSON of options. */
    @ParameterizedTest
    @MethodSource("schemes")
    void aComponentIsFoundByTheListAndHasItsMetadataBesideItsClass(String scheme) throws Exception {
        assertThat(properties("component.properties").getProperty("components").split(" "))
                .contains(scheme);
        String type = properties("component/" + scheme).getProperty("class");
        assertThat(type).isEqualTo(component(scheme).getJavaType());
        String folder = Class.forName(type).getPackageName().replace('.', '/');
        JsonNode json = RouteEndpoints.parse(
                Files.readString(Path.of("src/generated/resources/META-INF", folder, scheme + ".json")));
        assertThat(json.at("/component/scheme").asText()).isEqualTo(scheme);
        assertThat(json.at("/component/description").asText()).isNotEmpty();
    }

    private static Properties properties(String file) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(Path.of(SERVICES + file))));
        return properties;
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void theOptionsOfTheCatalogAreThoseOfTheCode(String scheme) {
        Class<?> endpoint = endpoints.stream()
                .filter(each -> each.getAnnotation(UriEndpoint.class).scheme().equals(scheme))
                .findFirst()
                .orElseThrow();
        Map<String, String> own = new TreeMap<>();
        Map<String, String> inherited = new TreeMap<>();
        collect(endpoint, own, inherited);
        Map<String, String> documented = new TreeMap<>();
        component(scheme)
                .getEndpointOptions()
                .forEach(option -> documented.put(
                        option.getName(),
                        MULTI_VALUE.matcher(option.getDescription()).replaceFirst("")));
        assertThat(documented).containsAllEntriesOf(own);
        assertThat(documented.keySet()).allMatch(name -> own.containsKey(name) || inherited.containsKey(name));
        assertThat(component(scheme).getEndpointOptions())
                .extracting(BaseOptionModel::getDescription)
                .allMatch(description -> !description.isEmpty());
    }

    /** Collects the options of a class by name, with their descriptions; some are in the classes of its fields. */
    private static void collect(@Nullable Class<?> type, Map<String, String> own, Map<String, String> inherited) {
        if (type == null) {
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            UriPath path = field.getAnnotation(UriPath.class);
            UriParam parameter = field.getAnnotation(UriParam.class);
            if (parameter != null && field.getType().isAnnotationPresent(UriParams.class)) {
                collect(field.getType(), own, inherited);
            } else if (path != null || parameter != null) {
                String given = path == null ? parameter.name() : path.name();
                String description = path == null ? parameter.description() : path.description();
                Map<String, String> options = type.getName().startsWith("dev.silkroute.") ? own : inherited;
                options.put(given.isEmpty() ? field.getName() : given, description);
            }
        }
        collect(type.getSuperclass(), own, inherited);
    }
}
