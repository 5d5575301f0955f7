package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.RouteEndpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation is complete and consistent: pages, links, and the languages of its code blocks. */
class DocumentationTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("README.md");
    private static final Set<String> KINDS = Set.of("tutorial", "how-to", "reference", "explanation");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern FENCE = Pattern.compile("( *)```(\\w*)");
    private static final int README_LINES = 150;

    /** A code block of a page. */
    record Block(Path page, int line, String language, String text) {
        @Override
        public String toString() {
            return page + ":" + line;
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        try (Stream<Path> files = Files.walk(DOCS)) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines outside code blocks. */
    private static List<String> prose(Path page) {
        List<String> prose = new ArrayList<>();
        boolean code = false;
        for (String line : lines(page)) {
            if (FENCE.matcher(line).lookingAt()) {
                code = !code;
            } else if (!code) {
                prose.add(line);
            }
        }
        return prose;
    }

    private static List<Block> blocks(Path page) {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = lines(page);
        for (int i = 0; i < lines.size(); i++) {
            Matcher begin = FENCE.matcher(lines.get(i));
            if (begin.lookingAt()) {
                int from = i + 1;
                i = from;
                while (!lines.get(i).strip().equals("```")) {
                    i++;
                }
                String text = lines.subList(from, i).stream()
                        .map(line -> line.substring(Math.min(begin.group(1).length(), line.length())))
                        .collect(Collectors.joining("\n"));
                blocks.add(new Block(page, from, begin.group(2), text));
            }
        }
        return blocks;
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

    @Test
    void yamlBlocksAreValidRoutes() throws IOException {
        int endpoints = 0;
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                if (block.language().equals("yaml")) {
                    JsonNode yaml = RouteEndpoints.parse(block.text());
                    RouteEndpoints.validate(yaml);
                    endpoints += yaml.findValues("uri").size();
                }
            }
        }
        assertThat(endpoints).isGreaterThan(8);
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
    void readmeIsShort() {
        assertThat(lines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(README_LINES);
    }
}
