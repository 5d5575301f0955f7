package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.Browser;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.openqa.selenium.Keys;

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

    private static final MarkdownPage TUTORIAL = new MarkdownPage(Path.of("docs/tutorial/first-station.md"));

    private static StationProcess station;
    private static DocumentationReader reader;
    private static Duration startTime;

    @BeforeAll
    static void start() throws IOException {
        Path routes = Files.createDirectory(box.resolve("my-routes"));
        long before = System.nanoTime();
        station = StationProcess.start(box.resolve("data"), "--routes-dir", routes.toString());
        startTime = Duration.ofNanos(System.nanoTime() - before);
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
        if (page.equals(TUTORIAL) && Browser.isInstalled()) {
            followAPrefix();
        }
    }

    /** The steps of the tutorial's last table, whose times are written to {@code target/first-station.txt}. */
    private static void followAPrefix() throws IOException {
        Map<String, Duration> steps = new LinkedHashMap<>();
        steps.put("`./silkroute run`, until it is ready", startTime);
        steps.put(
                "`./silkroute replay …` as above, until it is stored",
                reader.replayTime(TUTORIAL.command("./silkroute replay ")));
        try (Browser browser = Browser.open("http://127.0.0.1:" + station.httpPort() + "/")) {
            time(steps, "Open the page", () -> browser.show("", "Look up a route"));
            time(steps, "Press `/`, type `103.210.6.1` and press Enter: every path to the address", () -> {
                browser.press("/");
                browser.press("103.210.6.1", Keys.ENTER);
                browser.awaitHeading("103.210.6.1");
                browser.awaitUntil(() -> browser.texts("tbody .prefix a").contains("103.210.6.0/23"));
            });
            time(steps, "Click the arrow in front of a path: its attributes, and why it is or is not the best", () -> {
                browser.find("tbody .disclose").click();
                browser.awaitUntil(() -> browser.texts("tr.details dd")
                        .contains("The router has sent neither a path marking nor a Loc-RIB with a route for it."));
            });
            time(steps, "Click `103.210.6.0/23`: its timeline, with what each event changed", () -> {
                browser.find("tbody .prefix a[href*='103.210.6.0/23']").click();
                browser.awaitHeading("103.210.6.0/23");
                browser.awaitUntil(() -> browser.texts("#scrub").size() == 1);
            });
            time(
                    steps,
                    "Click the time of the oldest event in the Loc-RIB: the graph of AS paths of that moment",
                    () -> {
                        browser.script(
                                "[...document.querySelectorAll('tbody tr')].findLast(row =>"
                                        + " row.querySelector('[data-title=View]')?.innerText.trim() === 'Loc-RIB').querySelector('th a').click()");
                        browser.awaitUntil(() -> browser.address().contains("at="));
                        browser.awaitHeading("103.210.6.0/23");
                        assertThat(browser.texts(".graph .origin text")).contains("185518");
                    });
            time(steps, "Choose **Now**, then **Compare**: what each policy changed", () -> {
                browser.find("#now").click();
                browser.awaitUntil(() -> !browser.address().contains("at="));
                browser.find("#views a[href*='view=compare']").click();
                browser.awaitUntil(
                        () -> browser.texts(".comparison td.changed ins").contains("64512:999"));
            });
        }
        Files.write(
                Path.of("target", "first-station.txt"),
                steps.entrySet().stream()
                        .map(step -> "| %s | %.1f |"
                                .formatted(step.getKey(), step.getValue().toMillis() / 1000.0))
                        .toList());
        assertThat(TUTORIAL.lines().stream()
                        .filter(line -> line.matches("\\| .+ \\| [\\d.]+ \\|"))
                        .map(line -> line.split(" \\| ")[0].substring(2)))
                .containsExactlyElementsOf(steps.keySet());
    }

    private static void time(Map<String, Duration> steps, String step, Runnable action) {
        long before = System.nanoTime();
        action.run();
        steps.put(step, Duration.ofNanos(System.nanoTime() - before));
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
