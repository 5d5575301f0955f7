package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.StationProcess;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * A reader follows the README and the pages of {@code docs} word for word: every shell and SQL block runs against one
 * new station, in the order of {@link #pages}, and prints what the {@code text} block behind it shows; without such a
 * block it prints nothing. {@link dev.silkroute.fixture.PrintedOutput} has the rules of the comparison, {@code
 * DocumentationTest} checks YAML blocks. With {@code -Dsilkroute.docs.write=true} the pages are rewritten instead.
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

    /** Programs, and parts of command lines, that cannot run here, with the reason. Their blocks are not run. */
    private static final Map<String, String> NOT_HERE = Map.of(
            "kubectl", "a Kubernetes cluster",
            "k8s/image/build.sh", "takes minutes; ImageBuildIT builds the image",
            "kcat", "topics that are off by default; OptionalTopicsIT",
            "pg_", "programs of PostgreSQL in the version of the server",
            "tcpdump", "privileges, and a router",
            "routinator", "a program that is not a dependency, and the Internet",
            "192.0.2.10", "another machine",
            "example.net", "another machine");

    /** Programs of Debian packages. Without one, the rest of a page that uses it is not run. */
    private static final List<String> PROGRAMS = List.of("psql");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern MESSAGES = Pattern.compile("(?:Replayed .*: |Sent )([\\d,]+) messages?");
    private static final Pattern SAVED_AS = Pattern.compile("`(my-routes/[\\w.-]+)`:");

    /**
     * {@code ./silkroute} for the pages. The station runs already, at free ports: {@code run} prints its line and
     * records its arguments, and {@code replay} and {@code load} send to its port. With {@code --hold} they are left
     * running when all is sent.
     */
    private static final String LAUNCHER = """
        #!/bin/sh
        case $1 in
        run)
            record=$(mktemp "$BOX/run.XXXXXX")
            { printf '%s\\0' "$@"; printf '\\0'; env -0; } > "$record"
            cat "$BOX/ready"
            exit ;;
        replay | load)
            set -- "$@" --to "127.0.0.1:$BMP_PORT" ;;
        esac
        case " $* " in
        *" --hold "*)
            mkfifo "$BOX/err"
            "$REPOSITORY/silkroute" "$@" > "$BOX/out" 2> "$BOX/err" &
            echo $! >> "$BOX/held"
            while read -r line; do
                case $line in *"holding the connections open"*) break ;; esac
            done < "$BOX/err"
            cat "$BOX/out"
            rm "$BOX/err" ;;
        *)
            exec "$REPOSITORY/silkroute" "$@" ;;
        esac
        """;

    /** Replays that a page has run. The README and the tutorial begin with the same one, on a new station. */
    private static final Map<String, String> REPLAYS = new HashMap<>();

    @TempDir
    static Path box;

    private static StationProcess station;
    private static long messages;
    private static int heldSessions;

    @BeforeAll
    static void start() throws IOException {
        Path routes = Files.createDirectory(box.resolve("my-routes"));
        station = StationProcess.start(box.resolve("data"), "--routes-dir", routes.toString());
        Files.createSymbolicLink(box.resolve("src"), Path.of("src").toAbsolutePath());
        Files.writeString(box.resolve("ready"), station.readyLine() + "\n");
        Files.createFile(box.resolve("held"));
        Files.createFile(
                box.resolve("silkroute"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(box.resolve("silkroute"), LAUNCHER);
    }

    @AfterAll
    static void stop() throws IOException {
        held().forEach(ProcessHandle::destroy);
        station.close();
    }

    private static List<ProcessHandle> held() throws IOException {
        return Files.readAllLines(box.resolve("held")).stream()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
    }

    static Stream<MarkdownPage> pages() {
        Predicate<MarkdownPage> runs =
                page -> page.file().equals(Path.of("README.md")) || (page.isIn("docs") && !page.isIn("docs/adr"));
        return Stream.concat(
                FIRST.stream().map(page -> new MarkdownPage(Path.of(page))),
                MarkdownPage.all().stream().filter(runs).filter(page -> !FIRST.contains(page.toString())));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void blocksPrintWhatThePageShows(MarkdownPage page) throws Exception {
        SoftAssertions softly = new SoftAssertions(); // so that later blocks find what this page has stored
        int count = page.blocks().size();
        for (int i = 0; i < count; i++) {
            Block block = page.blocks().get(i); // read again, because assertPrints may rewrite the page
            if (PROGRAMS.stream().anyMatch(program -> block.text().contains(program + " ") && !isOnPath(program))) {
                break;
            }
            if (block.language().equals("sh") && block.text().startsWith("./silkroute watch")) {
                follow(block);
                continue;
            }
            switch (block.language()) {
                case "sh" -> {
                    boolean starts = block.text().contains("./silkroute run");
                    if (starts || NOT_HERE.keySet().stream().noneMatch(block.text()::contains)) {
                        String output = REPLAYS.containsKey(block.text()) ? REPLAYS.get(block.text()) : shell(block);
                        if (block.text().startsWith("./silkroute replay ")) {
                            REPLAYS.put(block.text(), output);
                        }
                        boolean shown = !starts || page.outputOf(block) != null;
                        String printed = shown ? output : output.replace(station.readyLine() + "\n", "");
                        softly.check(() -> page.assertPrints(block, printed));
                    }
                    checkStarts();
                }
                case "sql" -> {
                    String printed = sql(block);
                    softly.check(() -> page.assertPrints(block, printed));
                }
                case "yaml" -> save(block);
                default -> {}
            }
            count = page.blocks().size();
        }
        softly.assertAll();
    }

    @Test
    void everyExceptionIsNeeded() {
        String text = String.join(
                "\n",
                pages().flatMap(page -> page.blocks().stream())
                        .filter(block -> block.language().equals("sh"))
                        .map(Block::text)
                        .toList());
        assertThat(NOT_HERE.keySet()).allSatisfy(part -> assertThat(text).contains(part));
    }

    @Test
    void everyPublicViewAndFunctionHasAnExample() {
        String sql = String.join(
                "\n",
                pages().flatMap(page -> page.blocks().stream())
                        .filter(block -> Set.of("sh", "sql").contains(block.language()))
                        .map(Block::text)
                        .toList());
        assertThat(station.sql("SELECT relname FROM pg_class WHERE relnamespace = 'bmp'::regnamespace AND relkind = 'v'"
                        + " AND obj_description(oid, 'pg_class') NOT LIKE 'Internal: %'"))
                .hasSizeGreaterThan(5)
                .allSatisfy(view -> assertThat(sql).contains(view));
        assertThat(sql).contains("lookup(", "rib_at(", "rib_diff(", "route_timeline(", "compare_views(", "reconcile(");
    }

    private static boolean isOnPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static Process bash(String commands) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", "-c", here(commands)).directory(box.toFile());
        builder.redirectError(box.resolve("errors").toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        environment.put("SILKROUTE_BUILD", "never");
        environment.put("BOX", box.toString());
        environment.put("BMP_PORT", Integer.toString(station.bmpPort()));
        environment.put("PORT", station.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
        environment.put("REPOSITORY", Path.of("").toAbsolutePath().toString());
        return builder.start();
    }

    /** Runs the commands of a block that print until they are interrupted, until each has subscribed to the stream. */
    private static void follow(Block block) throws Exception {
        for (String command : block.text().lines().toList()) {
            Process process = bash("exec " + command);
            try {
                await().atMost(30, SECONDS).until(() -> !process.isAlive() || subscribers() == 1);
                assertThat(process.isAlive())
                        .as("%s: %s", command, Files.readString(box.resolve("errors")))
                        .isTrue();
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
            process.waitFor();
            await().atMost(30, SECONDS).until(() -> subscribers() == 0);
        }
    }

    private static double subscribers() {
        return station.meter("silkroute_live_subscribers").orElse(-1);
    }

    /** Runs a block and returns its standard output, after the station has stored what the block has sent. */
    private static String shell(Block block) throws IOException, InterruptedException {
        Process process = bash(block.text());
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("exit code of %s: %s%s", block, output, Files.readString(box.resolve("errors")))
                .isZero();
        awaitStored(output, block.text().contains("--hold"));
        return output;
    }

    /** Returns a command line with the ports of this station in place of the default ones. */
    private static String here(String commands) {
        return commands.replace("127.0.0.1:8080", "127.0.0.1:" + station.httpPort())
                .replace("http://127.0.0.1:9000", station.managementUrl());
    }

    /** Waits until the station has processed the messages that a block has sent, by the block's own report. */
    private static void awaitStored(String output, boolean holds) {
        Matcher sent = MESSAGES.matcher(output);
        while (sent.find()) {
            messages += Long.parseLong(sent.group(1).replace(",", ""));
            await().atMost(30, SECONDS)
                    .pollInterval(100, MILLISECONDS)
                    .during(400, MILLISECONDS)
                    .until(() -> isCaughtUp(holds));
        }
    }

    private static boolean isCaughtUp(boolean holds) throws IOException {
        JsonNode status = JSON.readTree(station.get("/api/v1/status").body());
        if (holds) {
            heldSessions = status.path("sessions").asInt();
        }
        return station.meter("bmp_messages_total").orElse(0) >= messages
                && status.path("sessions").asInt() == heldSessions
                && status.path("topics").findValues("lag").stream().allMatch(lag -> lag.asLong() == 0)
                && status.path("rib")
                        .path("routes")
                        .asText()
                        .equals(station.sql("SELECT count(*) FROM bmp.v_rib").getFirst());
    }

    /** Checks the arguments and variables of each start of a station that the page contains. */
    private static void checkStarts() throws IOException {
        try (Stream<Path> files = Files.list(box)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("run."))
                    .toList()) {
                String[] parts = Files.readString(file).split("\0\0", 2);
                Map<String, String> environment = new TreeMap<>();
                for (String variable : parts[1].split("\0")) {
                    int equals = variable.indexOf('=');
                    environment.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
                Configuration configuration = Configuration.of(Map.of(), environment, Map.of());
                CommandLine.ParseResult run = Cli.commandLine(configuration).parseArgs(parts[0].split("\0"));
                Map<String, String> options = new TreeMap<>();
                run.subcommand().matchedOptions().forEach(option -> {
                    String key = Configuration.key(option.longestName());
                    if (key != null) {
                        options.put(key, String.join(",", option.originalStringValues()));
                    }
                });
                assertThat(configuration.with(options).station()).isNotNull();
                Files.delete(file);
            }
        }
    }

    /** Returns what {@code ./silkroute sql} prints for the statements of a block. */
    private static String sql(Block block) throws SQLException, IOException {
        StringWriter out = new StringWriter();
        try (Connection connection = station.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path TO bmp, public; SET time zone 'UTC'");
            boolean hasRows = statement.execute(block.text());
            while (hasRows || statement.getUpdateCount() >= 0) {
                if (hasRows) {
                    ResultFormat.table.writer(out).write(statement.getResultSet());
                } else {
                    int rows = statement.getUpdateCount();
                    out.write("(" + rows + (rows == 1 ? " row changed)\n" : " rows changed)\n"));
                }
                hasRows = statement.getMoreResults();
            }
        }
        return out.toString();
    }

    /** Saves a route where the page puts it, and waits until the station has loaded it. */
    private static void save(Block block) throws IOException {
        Matcher name = SAVED_AS.matcher(block.before());
        if (name.find()) {
            String file = name.group(1);
            Files.writeString(box.resolve(file), block.text());
            await().atMost(20, SECONDS)
                    .until(() -> station.log().lines().anyMatch(line -> line.contains(file + ": routes ")));
        }
    }
}
