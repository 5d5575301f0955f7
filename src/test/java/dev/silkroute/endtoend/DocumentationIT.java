package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A reader follows the README and the pages of {@code docs} with one new station that has the default settings, as
 * {@link DocumentationReader} describes. {@link DocumentedOptionsIT} has the pages that require other settings, and
 * {@code DocumentationTest} checks YAML blocks.
 */
class DocumentationIT {
    /** Read first, in this order, because pages show what those before them have stored. The others follow by name. */
    private static final List<String> FIRST = List.of(
            "README.md",
            "docs/tutorial/first-station.md",
            "docs/tutorial/first-route.md",
            "docs/how-to/query.md",
            "docs/how-to/troubleshooting.md",
            "docs/reference/errors.md",
            "docs/reference/rest.md",
            "docs/reference/rib.md");

    @TempDir
    static Path box;

    private static StationProcess station;
    private static DocumentationReader reader;

    @BeforeAll
    static void start() throws IOException {
        Path routes = Files.createDirectory(box.resolve("my-routes"));
        station = StationProcess.start(box.resolve("data"), "--routes-dir", routes.toString());
        reader = new DocumentationReader(box, station);
    }

    @AfterAll
    static void stop() throws IOException {
        reader.close();
    }

    static Stream<MarkdownPage> pages() {
        return Stream.concat(
                FIRST.stream().map(page -> new MarkdownPage(Path.of(page))),
                DocumentationReader.pages().stream()
                        .filter(page -> !FIRST.contains(page.toString())
                                && !DocumentedOptionsIT.PAGES.contains(page.toString())));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void blocksPrintWhatThePageShows(MarkdownPage page) throws Exception {
        reader.read(page);
    }

    /** Each block that is not run here is on its page once, and the test that runs it refers to it. */
    @ParameterizedTest
    @EnumSource
    void blocksThatAreNotRunHereAreRunByOtherTests(SeparateBlock separate) throws IOException {
        assertThat(separate.block().text()).isNotEmpty();
        assertThat(Arrays.stream(SeparateBlock.values()).map(SeparateBlock::block))
                .containsOnlyOnce(separate.block());
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            assertThat(sources.filter(file -> file.endsWith(separate.test() + ".java")))
                    .singleElement()
                    .satisfies(test -> assertThat(Files.readString(test))
                            .containsPattern("SeparateBlock\\." + separate.name() + "\\b"));
        }
    }

    @Test
    void everyPublicViewAndFunctionHasAnExample() {
        String sql = text(Set.of("sh", "sql"));
        assertThat(station.sql("SELECT relname FROM pg_class WHERE relnamespace = 'bmp'::regnamespace AND relkind = 'v'"
                        + " AND obj_description(oid, 'pg_class') NOT LIKE 'Internal: %'"))
                .hasSizeGreaterThan(5)
                .allSatisfy(view -> assertThat(sql).contains(view));
        assertThat(sql).contains("lookup(", "rib_at(", "rib_diff(", "route_timeline(", "compare_views(", "reconcile(");
    }

    /** Returns all blocks in one of these languages. */
    private static String text(Set<String> languages) {
        return DocumentationReader.pages().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> languages.contains(block.language()))
                .map(Block::text)
                .collect(Collectors.joining("\n"));
    }
}
