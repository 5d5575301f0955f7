package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The source uses the terms of its field: names, comments, javadoc, log lines and messages contain none of the words
 * that were replaced by standard ones.
 *
 * <p>Words that are also ordinary English ("text", "base", "place", "through") are not checked here; reviewers read for
 * those.
 */
class LanguageTest {
    /** Each word with what to use instead. Identifiers are split at capitals: {@code readAnew} contains "anew". */
    private static final Map<String, String> REPLACED = Map.ofEntries(
            Map.entry("oddity", "anomaly"),
            Map.entry("oddities", "anomalies"),
            Map.entry("upkeep", "maintenance"),
            Map.entry("unmentioned", "resync-timeout"),
            Map.entry("limbo", "reclaim queue"),
            Map.entry("flight", "pipeline"),
            Map.entry("flights", "pipelines"),
            Map.entry("landing", "result"),
            Map.entry("farewell", "termination"),
            Map.entry("lacking", "rejected"),
            Map.entry("anew", "reset, rebuild, restart"),
            Map.entry("nameless", "unidentified"),
            Map.entry("hear", "receive"),
            Map.entry("hears", "receives"),
            Map.entry("heard", "received"),
            Map.entry("heed", "observe"),
            Map.entry("heeds", "observes"),
            Map.entry("tell", "report"),
            Map.entry("tells", "reports"),
            Map.entry("told", "reported"),
            Map.entry("said", "reported, contained"),
            Map.entry("says", "contains, requires"),
            Map.entry("knows", "stores, has"),
            Map.entry("wants", "requires"),
            Map.entry("speaks", "uses"),
            Map.entry("goodbye", "termination"),
            Map.entry("whom", "which"),
            Map.entry("sweep", "purge"),
            Map.entry("sweeps", "purges"),
            Map.entry("sweeping", "purging"),
            Map.entry("swept", "purged"),
            Map.entry("bases", "snapshots"),
            Map.entry("leg", "statement"),
            Map.entry("legs", "statements"),
            Map.entry("away", "unavailable, disconnected"),
            Map.entry("question", "query"),
            Map.entry("questions", "queries"),
            Map.entry("rooms", "packages, modules"),
            Map.entry("chains", "route lists"),
            Map.entry("say", "report, contain"),
            Map.entry("saying", "reporting, containing"),
            Map.entry("telling", "reporting"),
            Map.entry("hearing", "receiving"),
            Map.entry("speak", "use, send"),
            Map.entry("speaking", "using, sending"),
            Map.entry("spoken", "used, sent"),
            Map.entry("want", "require"),
            Map.entry("mind", "depend on"),
            Map.entry("minds", "depends on"),
            Map.entry("believe", "accept"),
            Map.entry("believed", "accepted"),
            Map.entry("refuse", "reject"),
            Map.entry("refuses", "rejects"),
            Map.entry("refused", "rejected"),
            Map.entry("refusing", "rejecting"),
            Map.entry("refusal", "rejection"),
            Map.entry("refusals", "rejections"),
            Map.entry("slice", "part, batch"),
            Map.entry("slices", "parts, batches"));

    /** Names and phrases of several words, written as in prose, as an identifier, or as an option. */
    private static final Map<Pattern, String> REPLACED_PHRASES = Map.ofEntries(
            Map.entry(phrase("come again"), "retry later"),
            Map.entry(phrase("withdraw after"), "stale-timeout"),
            Map.entry(phrase("base every"), "snapshot-interval"),
            Map.entry(phrase("route base"), "snapshot"),
            Map.entry(phrase("our count"), "station_count"),
            Map.entry(phrase("lane place"), "lane offset"),
            Map.entry(phrase("goes on after"), "recovered after"),
            Map.entry(phrase("in force: routes"), "loaded routes"),
            Map.entry(phrase("calls itself"), "router name"),
            Map.entry(phrase("errors? of use"), "usage error"),
            Map.entry(phrase("meter (?:limit|interval)"), "metrics-limit, metrics-interval"),
            Map.entry(phrase("looked at"), "checked, read"),
            Map.entry(phrase("under way"), "in progress, pending"),
            Map.entry(phrase("(?:is|are|was|were|has|have|been|as) gone"), "ended, removed, unavailable"),
            Map.entry(phrase("[a-z]n't"), "the full form, such as cannot"));

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+");
    private static final Pattern STANDARD_PHRASE =
            Pattern.compile("(?i)in[ .-]?flight|question mark|NullAway|connection refused|\"refused\"|refused\\|"
                    + "|\\w*slices?\\(|SlicesRule|\\.slices;");
    private static final Pattern FRAGMENT =
            Pattern.compile("/\\*\\*\\s+(?:\\* +)?((?:Of|What|Who|Whose|Whether|How|Where|When|Why) .*)");

    private static final Set<String> SOURCES = Set.of("java", "yaml", "xml", "sql", "properties", "js", "html", "sh");
    /** Scripts without an extension. */
    private static final Set<String> SCRIPTS = Set.of("silkroute", "train");
    /** A library of others. */
    private static final String VENDORED = "uplot.js";

    private static final int COMMENT_WIDTH = 120;

    private static Pattern phrase(String words) {
        return Pattern.compile("(?i)" + words.replace(" ", "[ _-]?") + "(?![a-z])");
    }

    @Test
    void sourceUsesStandardTerms() {
        assertThat(replacedWords(sources(
                        Path.of("src/main"),
                        Path.of("src/test/java"),
                        Path.of("perf/src"),
                        Path.of("perf/run.sh"),
                        Path.of("k8s/validate.sh"),
                        Path.of("k8s/image"),
                        Path.of("silkroute"))))
                .isEmpty();
    }

    /**
     * The same for the documentation, the manifests and the results of measurements. Pages that are generated from the
     * code, and tests that compare pages with the code, extend this to the help, options, metrics, columns and JSON
     * fields. CHANGELOG.md lists the words that were replaced.
     */
    @Test
    void documentationUsesStandardTerms() throws IOException {
        Stream<Path> pages =
                MarkdownPage.all().stream().map(MarkdownPage::file).filter(page -> !page.endsWith("CHANGELOG.md"));
        try (Stream<Path> manifests = Files.walk(Path.of("k8s"));
                Stream<Path> schemas = Files.walk(Path.of("docs/reference/schema"));
                Stream<Path> results = Files.walk(Path.of("perf/results"))) {
            List<Path> files = Stream.of(pages, manifests, schemas, results, Stream.of(Path.of("perf/README.md")))
                    .flatMap(each -> each)
                    .filter(Files::isRegularFile)
                    .toList();
            assertThat(files).hasSizeGreaterThan(110);
            assertThat(replacedWords(files.stream())).isEmpty();
        }
    }

    private static List<String> replacedWords(Stream<Path> files) {
        List<String> found = new ArrayList<>();
        files.forEach(file -> {
            List<String> lines = lines(file);
            for (int line = 0; line < lines.size(); line++) {
                Matcher words =
                        WORD.matcher(STANDARD_PHRASE.matcher(lines.get(line)).replaceAll(""));
                while (words.find()) {
                    String word = words.group().toLowerCase(Locale.ROOT);
                    String instead = REPLACED.get(word);
                    if (instead != null) {
                        found.add(file + ":" + (line + 1) + ": \"" + word + "\", use: " + instead);
                    }
                }
                String text = lines.get(line);
                String at = file + ":" + (line + 1);
                REPLACED_PHRASES.forEach((phrase, instead) -> phrase.matcher(text)
                        .results()
                        .forEach(match -> found.add(at + ": \"" + match.group() + "\", use: " + instead)));
            }
        });
        return found;
    }

    /** A description begins with a verb, "Returns whether", or with a noun, "The time when". */
    @Test
    void documentationCommentsAreNotFragments() {
        List<String> found = new ArrayList<>();
        sources(Path.of("src/main/java"), Path.of("perf/src")).forEach(file -> {
            Matcher fragments = FRAGMENT.matcher(String.join("\n", lines(file)));
            while (fragments.find()) {
                found.add(file + ": " + fragments.group(1));
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    void commentsWrapAt120Columns() {
        List<String> found = new ArrayList<>();
        sources(Path.of("src/main"), Path.of("src/test/java")).forEach(file -> {
            List<String> lines = lines(file);
            for (int line = 0; line < lines.size(); line++) {
                String text = lines.get(line).strip();
                boolean comment = text.startsWith("//")
                        || text.startsWith("*")
                        || text.startsWith("/*")
                        || text.startsWith("--")
                        || text.startsWith("#");
                if (comment && lines.get(line).length() > COMMENT_WIDTH) {
                    found.add(file + ":" + (line + 1));
                }
            }
        });
        assertThat(found).isEmpty();
    }

    private static Stream<Path> sources(Path... roots) {
        return Stream.of(roots).flatMap(root -> {
            try (Stream<Path> files = Files.walk(root)) {
                return files
                        .filter(LanguageTest::isSource)
                        .filter(file -> !file.endsWith("LanguageTest.java") && !file.endsWith(VENDORED))
                        .toList()
                        .stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static boolean isSource(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file)
                && (SOURCES.contains(name.substring(name.lastIndexOf('.') + 1)) || SCRIPTS.contains(name));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
