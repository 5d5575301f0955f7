package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.LogStatements;
import dev.silkroute.fixture.LogStatements.Statement;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.RouteBlock;
import dev.silkroute.fixture.RouteEndpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documentation is complete and consistent: pages, links, and the languages of its code blocks. */
class DocumentationTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("README.md");
    private static final Set<String> KINDS = Set.of("tutorial", "how-to", "reference", "explanation");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Path GLOSSARY = DOCS.resolve("reference/glossary.md");
    private static final Pattern TERM = Pattern.compile("\\| ([a-zA-Z][a-zA-Z -]+) \\|");
    /** A term in lower case; names of panels and menus begin with a capital letter. */
    private static final Pattern ITALICS = Pattern.compile("(?<![*\\w])\\*([a-z][a-z -]*)\\*(?![*\\w])");

    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*[a-z](?:Test|IT))`");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern COMMAND = Pattern.compile(
            "(?m)^\\s*(?:[$#] |(?:\\./silkroute|sudo|curl|psql|pg_\\w+|mvn|npm|kubectl|kcat|docker|podman|python3?|export|cd) )");
    private static final int README_LINES = 150;

    private static List<Path> pages() {
        return MarkdownPage.all().stream().map(MarkdownPage::file).toList();
    }

    private static List<String> lines(Path page) {
        return new MarkdownPage(page).lines();
    }

    private static List<String> prose(Path page) {
        return new MarkdownPage(page).prose();
    }

    private static List<Block> blocks(Path page) {
        return new MarkdownPage(page).blocks();
    }

    private static List<String> links(Path page) {
        return prose(page).stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(found -> found.group(1))
                .filter(link -> !link.matches("(https?|mailto):.*"))
                .toList();
    }

    /** Returns the file that a link refers to. */
    private static Path target(Path page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    /** Returns the anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) {
        return prose(page).stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void linksAndAnchorsResolve() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                Path target = target(page, link);
                int anchor = link.indexOf('#');
                if (!Files.exists(target)) {
                    broken.add(page + ": " + link);
                } else if (anchor >= 0
                        && target.toString().endsWith(".md")
                        && !anchors(target).contains(link.substring(anchor + 1))) {
                    broken.add(page + ": " + link + " (no such heading)");
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsOfOneKindAndReachableFromTheIndex() throws IOException {
        Set<Path> reached = new HashSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(INDEX));
        while (!next.isEmpty()) {
            Path page = next.remove();
            if (page.toString().endsWith(".md") && Files.isRegularFile(page) && reached.add(page)) {
                links(page).forEach(link -> next.add(target(page, link)));
            }
        }
        Set<Path> unreached = new TreeSet<>();
        for (Path page : pages()) {
            if (page.startsWith(DOCS) && !page.equals(INDEX)) {
                if (!reached.contains(page)) {
                    unreached.add(page);
                }
                String kind = page.getName(1).toString();
                assertThat(KINDS.contains(kind) || kind.equals("adr"))
                        .as(page.toString())
                        .isTrue();
            }
        }
        assertThat(unreached).isEmpty();
    }

    @Test
    void theIndexListsEveryPageExceptTheDecisions() throws IOException {
        Set<Path> listed =
                links(INDEX).stream().map(link -> target(INDEX, link)).collect(Collectors.toSet());
        for (Path page : pages()) {
            if (page.startsWith(DOCS) && !page.equals(INDEX) && !page.startsWith(DOCS.resolve("adr"))) {
                assertThat(listed).contains(page);
            }
        }
    }

    @Test
    void codeBlocksHaveALanguage() throws IOException {
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                if (!page.startsWith(DOCS.resolve("adr"))) {
                    assertThat(block.language()).as(block.toString()).isNotEmpty();
                }
            }
        }
    }

    /** Shell blocks are run or checked by tests; a command in a block of another language is not. */
    @Test
    void commandsAreInShellBlocks() {
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                assertThat(block.language()).as(block.toString()).isNotIn("console", "bash", "shell");
                if (!block.language().equals("sh")) {
                    assertThat(block.text()).as(block.toString()).doesNotContainPattern(COMMAND);
                }
            }
        }
    }

    /** Endpoints have options that exist, Camel loads the routes, and a test runs each of them. */
    @Test
    void routesInYamlAndXmlAreValid() throws Exception {
        int endpoints = 0;
        List<String> routes = new ArrayList<>();
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                if (block.language().equals("yaml")) {
                    JsonNode yaml = RouteEndpoints.parse(block.text());
                    RouteEndpoints.validate(yaml);
                    endpoints += yaml.findValues("uri").size();
                    if (yaml.isArray()) {
                        assertLoads(block);
                        routes.add(block.toString());
                    }
                } else if (block.language().equals("xml")) {
                    assertLoads(block);
                    routes.add(block.toString());
                }
            }
        }
        assertThat(endpoints).isGreaterThan(8);
        assertThat(Stream.of(RouteBlock.values()).map(route -> route.block().toString()))
                .as("routes that a test runs")
                .containsExactlyInAnyOrderElementsOf(routes);
    }

    /** The test that runs a route refers to it. */
    @ParameterizedTest
    @EnumSource
    void routesAreRunByTests(RouteBlock route) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            assertThat(sources.filter(file -> file.endsWith(route.test() + ".java")))
                    .singleElement()
                    .satisfies(test ->
                            assertThat(Files.readString(test)).containsPattern("RouteBlock\\." + route.name() + "\\b"));
        }
    }

    private static void assertLoads(Block block) throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            PluginHelper.getRoutesLoader(camel)
                    .loadRoutes(ResourceHelper.fromString("page." + block.language(), block.text()));
            assertThat(camel.getRouteDefinitions())
                    .as(block.toString())
                    .isNotEmpty()
                    .allMatch(RouteDefinition::hasCustomIdAssigned, "has an id, which a station requires");
        }
    }

    /** Lines are keys of {@code config/application.properties}, or environment variables. */
    @Test
    void propertiesBlocksAreValidSettings() throws IOException {
        int settings = 0;
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                if (block.language().equals("properties")) {
                    Map<String, String> file = new HashMap<>();
                    Map<String, String> environment = new HashMap<>();
                    block.text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                        String[] parts = line.split("=", 2);
                        (parts[0].startsWith("SILKROUTE_") ? environment : file).put(parts[0], parts[1]);
                    });
                    settings += file.size() + environment.size();
                    assertThatCode(() -> Configuration.of(Map.of(), environment, file)
                                    .station())
                            .as(block.toString())
                            .doesNotThrowAnyException();
                }
            }
        }
        assertThat(settings).isGreaterThan(10);
    }

    /** Pages write their terms in italics, {@code *dump slot*}, where they introduce them. */
    @Test
    void italicTermsAreInTheGlossary() {
        Set<String> terms = new HashSet<>();
        for (String line : prose(GLOSSARY)) {
            Matcher row = TERM.matcher(line);
            if (row.lookingAt()) {
                terms.add(row.group(1));
            }
        }
        Set<String> used = new TreeSet<>();
        Set<String> undefined = new TreeSet<>();
        for (Path page : pages()) {
            if (page.startsWith(DOCS) && !page.startsWith(DOCS.resolve("adr"))) {
                for (String line : prose(page)) {
                    Matcher italics = ITALICS.matcher(line.replaceAll("`[^`]*`", ""));
                    while (italics.find()) {
                        String term = italics.group(1);
                        used.add(term);
                        if (!terms.contains(term)) {
                            undefined.add(page + ": " + term);
                        }
                    }
                }
            }
        }
        assertThat(used).hasSizeGreaterThan(7);
        assertThat(undefined).isEmpty();
    }

    /** Pages refer to the tests that show what they state. */
    @Test
    void testsThatPagesNameExist() throws IOException {
        Set<String> tests;
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            tests = sources.map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
                    .collect(Collectors.toSet());
        }
        Set<String> unknown = new TreeSet<>();
        int found = 0;
        for (Path page : pages()) {
            for (String line : prose(page)) {
                Matcher name = TEST.matcher(line);
                while (name.find() && !page.endsWith("CHANGELOG.md")) {
                    found++;
                    if (!tests.contains(name.group(1))) {
                        unknown.add(page + ": " + name.group(1));
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(40);
        assertThat(unknown).isEmpty();
    }

    @Test
    void decisionsAreListed() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(DOCS.resolve("adr"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                String title = lines(file).getFirst().replaceFirst("^# ", "");
                rows.add(List.of(
                        title.replaceFirst("^(\\d+)\\..*", "$1"),
                        "[" + title.replaceFirst("^\\d+\\. ", "") + "](../adr/" + file.getFileName() + ")"));
            }
        }
        GeneratedPage.at("docs/explanation/decisions.md")
                .assertSection("decisions", GeneratedPage.table(List.of("number", "decision"), rows));
    }

    @Test
    void logMessagesAreListed() throws IOException {
        Map<String, List<List<String>>> rows = LogStatements.all().stream()
                .collect(Collectors.groupingBy(
                        Statement::level,
                        Collectors.mapping(
                                message -> List.of("`" + message.logger() + "`", message.text()),
                                Collectors.toList())));
        assertThat(rows).containsOnlyKeys("ERROR", "WARN", "INFO");
        for (Map.Entry<String, List<List<String>>> level : rows.entrySet()) {
            GeneratedPage.at("docs/reference/log.md")
                    .assertSection(level.getKey(), GeneratedPage.table(List.of("logger", "message"), level.getValue()));
        }
    }

    @Test
    void readmeIsShort() {
        assertThat(lines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(README_LINES);
    }
}
