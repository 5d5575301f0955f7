package dev.silkroute.endtoend;

import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.StationProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A reader follows the pages about what is off by default, and those that only send to a station, as {@link
 * DocumentationReader} describes. Everything that these pages turn on is on from the start.
 */
class DocumentedOptionsIT {
    /** In this order, because those at the end read what those at the beginning have sent. */
    static final List<String> PAGES = List.of(
            "docs/how-to/replay.md",
            "docs/how-to/load.md",
            "docs/explanation/state.md",
            "docs/how-to/alerts.md",
            "docs/how-to/alice-lg.md",
            "docs/how-to/json-and-flows.md",
            "docs/how-to/rpki.md",
            "docs/reference/json.md",
            "docs/reference/openbmp.md",
            "docs/reference/stream.md");

    private static final Map<String, String> SETTINGS = Map.of(
            "SILKROUTE_BIRDWATCHER_ENABLED", "true",
            "SILKROUTE_ROUTES_FLOWS_ENABLED", "true",
            "SILKROUTE_ROUTES_JSON_ENABLED", "true",
            "SILKROUTE_ROUTES_OPENBMP_ENABLED", "true",
            "SILKROUTE_ROUTES_WITHDRAWALS_ENABLED", "true");

    /** A file that a page shows, and which must exist when the station starts. */
    private static final String VRPS = "docs/how-to/rpki.md";

    @TempDir
    static Path box;

    private static DocumentationReader reader;

    @BeforeAll
    static void start() throws IOException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("SILKROUTE_RPKI_VRPS", DocumentationReader.save(box, VRPS).toString());
        reader = new DocumentationReader(box, StationProcess.startOnSharedServers(settings, box.resolve("data")));
    }

    @AfterAll
    static void stop() throws IOException {
        reader.close();
    }

    static Stream<MarkdownPage> pages() {
        return PAGES.stream().map(page -> new MarkdownPage(Path.of(page)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void blocksPrintWhatThePageShows(MarkdownPage page) throws Exception {
        reader.read(page);
    }
}
