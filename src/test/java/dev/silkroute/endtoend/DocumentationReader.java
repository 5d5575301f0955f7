package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.Programs;
import dev.silkroute.fixture.SeparateBlock;
import dev.silkroute.fixture.StationProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import picocli.CommandLine;

/**
 * Follows pages of the documentation word for word, in a directory of its own and with one station. Every shell, SQL
 * and Python block must print what the {@code text} or {@code json} block behind it shows, or nothing without such a
 * block; {@link dev.silkroute.fixture.PrintedOutput} has the rules of the comparison. Files that a page shows are
 * saved. With {@code -Dsilkroute.docs.write=true} the pages are rewritten instead.
 */
final class DocumentationReader implements AutoCloseable {
    /** Programs of Debian packages. Without one, the rest of a page that uses it is not run. */
    private static final List<String> PROGRAMS = List.of("jq", "kcat", "psql", "tcpdump");

    private static final String PYTHON = "/usr/bin/python3";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern MESSAGES = Pattern.compile("(?:Replayed .*: |Sent )([\\d,]+) messages?");
    private static final Pattern SAVED_AS = Pattern.compile("`([\\w./-]+)`:$");
    private static final Set<String> FILES = Set.of("yaml", "json");

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

    @FunctionalInterface
    private interface OutputReader {
        String read(InputStream output) throws IOException;
    }

    private final Path box;
    private final StationProcess station;
    private final PageShell shell;

    /** The output of replays. The README and the tutorial begin with the same one, on a new station. */
    private final Map<String, String> replays = new HashMap<>();

    /** How long each replay took, by its block. */
    private final Map<String, Duration> replayTimes = new HashMap<>();

    private long messages;
    private int heldSessions;

    /**
     * @param box the directory in which commands run
     * @param station a station whose data directory is {@code data} in the box
     */
    DocumentationReader(Path box, StationProcess station) throws IOException {
        this.box = box;
        this.station = station;
        Files.createSymbolicLink(box.resolve("src"), Path.of("src").toAbsolutePath());
        Files.writeString(box.resolve("ready"), station.readyLine() + "\n");
        Files.createFile(box.resolve("held"));
        Files.createFile(
                box.resolve("silkroute"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(box.resolve("silkroute"), LAUNCHER);
        shell = new PageShell(box)
                .with("BOX", box.toString())
                .with("BMP_PORT", Integer.toString(station.bmpPort()))
                .with("KAFKA", station.kafkaBootstrap())
                .with("PORT", station.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"))
                .with("REPOSITORY", Path.of("").toAbsolutePath().toString());
    }

    /** Returns the README and all pages of {@code docs} but the decisions, in the order of their names. */
    static List<MarkdownPage> pages() {
        return MarkdownPage.all().stream()
                .filter(page -> page.file().equals(Path.of("README.md")) || page.isIn("docs"))
                .filter(page -> !page.isIn("docs/adr"))
                .toList();
    }

    /** Runs the blocks of a page. Later blocks run also if an earlier one fails, because pages build on one another. */
    void read(MarkdownPage page) throws Exception {
        SoftAssertions softly = new SoftAssertions();
        Optional<String> missing = Optional.empty();
        for (int i = 0; i < page.blocks().size() && missing.isEmpty(); i++) {
            Block block = page.blocks().get(i); // read again, because assertPrints may have rewritten the page
            switch (block.language()) {
                case "sh" -> {
                    missing = missingProgram(block);
                    if (missing.isEmpty()) {
                        run(page, block, softly);
                    }
                }
                case "python" -> {
                    missing = missingModule();
                    if (missing.isEmpty()) {
                        String printed = firstLine(block);
                        softly.check(() -> page.assertPrints(block, printed));
                    }
                }
                case "sql" -> {
                    String printed = sql(block);
                    softly.check(() -> page.assertPrints(block, printed));
                }
                default -> save(block);
            }
        }
        softly.assertAll();
        missing.ifPresent(program -> Assumptions.abort("the rest of " + page + " needs " + program));
    }

    private void run(MarkdownPage page, Block block, SoftAssertions softly) throws Exception {
        boolean starts = block.text().contains("./silkroute run");
        if (block.text().startsWith("tcpdump ")) {
            capture(block);
        } else if (block.text().startsWith("./silkroute watch ") || block.text().contains("/api/v1/stream?")) {
            String printed = follow(block);
            softly.check(() -> page.assertPrints(block, printed));
        } else if (starts || !SeparateBlock.contains(block)) {
            long before = System.nanoTime();
            String output = replays.containsKey(block.text()) ? replays.get(block.text()) : execute(block);
            if (block.text().startsWith("./silkroute replay ")) {
                replays.put(block.text(), output);
                replayTimes.putIfAbsent(block.text(), Duration.ofNanos(System.nanoTime() - before));
            }
            boolean shown = !starts || page.outputOf(block) != null;
            String printed = shown ? output : output.replace(station.readyLine() + "\n", "");
            softly.check(() -> page.assertPrints(block, printed));
        }
        checkStarts();
    }

    /** Returns how long a block with a replay took, until the station had stored what it sent. */
    Duration replayTime(Block block) {
        return Objects.requireNonNull(replayTimes.get(block.text()));
    }

    @Override
    public void close() throws IOException {
        Files.readAllLines(box.resolve("held")).stream()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .forEach(ProcessHandle::destroy);
        station.close();
    }

    private static Optional<String> missingProgram(Block block) {
        return PROGRAMS.stream()
                .filter(program -> block.text().contains(program + " ") && !Programs.isOnPath(program))
                .findFirst();
    }

    /** Debian's Python, whose modules are packages, must have that of the documentation. */
    private static Optional<String> missingModule() throws IOException, InterruptedException {
        return Files.isExecutable(Path.of(PYTHON))
                        && new ProcessBuilder(PYTHON, "-c", "import websocket")
                                        .start()
                                        .waitFor()
                                == 0
                ? Optional.empty()
                : Optional.of("python3-websocket");
    }

    /** Runs a Python program that prints events for ever, and returns the first. */
    private String firstLine(Block block) throws Exception {
        Files.writeString(box.resolve("example.py"), here(block.text()));
        return follow(
                block,
                "exec " + PYTHON + " -u example.py",
                output -> new BufferedReader(new InputStreamReader(output, UTF_8)).readLine());
    }

    /** Runs a command that prints events until it has enough of them. */
    private String follow(Block block) throws Exception {
        return follow(block, here(block.text()), output -> new String(output.readAllBytes(), UTF_8));
    }

    /** Reads what a command prints while a router sends its table. */
    private String follow(Block block, String command, OutputReader reader) throws Exception {
        Process process = shell.start(command);
        try {
            await().until(() -> !process.isAlive() || subscribers() == 1);
            assertThat(process.isAlive()).as("%s: %s", block, shell.errors()).isTrue();
            String sent = shell.run("./silkroute replay src/test/resources/captures/gobgp-all.bmp.gz");
            String output = reader.read(process.getInputStream());
            awaitStored(sent, false);
            return output;
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    /** Starts a packet capture and waits until it listens. */
    private void capture(Block block) throws IOException {
        Process process = shell.start("exec " + block.text());
        try {
            await().until(() -> !process.isAlive() || shell.errors().contains("listening on"));
            Assumptions.assumeFalse(
                    shell.errors().contains("permission"), "this user may capture packets: " + shell.errors());
            assertThat(shell.errors()).as("%s", block).contains("listening on");
        } finally {
            process.destroy();
        }
    }

    private double subscribers() {
        return station.meter("silkroute_live_subscribers").orElse(-1);
    }

    /** Runs a block and returns its standard output, after the station has stored what the block has sent. */
    private String execute(Block block) throws IOException, InterruptedException {
        String output = shell.run(here(block.text()));
        awaitStored(output, block.text().contains("--hold"));
        return output;
    }

    /** Returns a command line with the ports of this station in place of the default ones. */
    private String here(String commands) {
        return commands.replace("127.0.0.1:8080", "127.0.0.1:" + station.httpPort())
                .replace("http://127.0.0.1:9000", station.managementUrl());
    }

    /** Waits until the station has processed the messages that a block has sent, by the block's own report. */
    private void awaitStored(String output, boolean holds) {
        Matcher sent = MESSAGES.matcher(output);
        while (sent.find()) {
            messages += Long.parseLong(sent.group(1).replace(",", ""));
            await().pollInterval(50, MILLISECONDS).during(150, MILLISECONDS).until(() -> isCaughtUp(holds));
        }
    }

    private boolean isCaughtUp(boolean holds) throws IOException {
        JsonNode status = JSON.readTree(station.get("/api/v1/status").body());
        if (holds) {
            heldSessions = status.path("sessions").asInt();
        }
        return status.path("sessions").asInt() == heldSessions
                && status.path("topics").findValues("lag").stream().allMatch(lag -> lag.asLong() == 0)
                && station.meter("bmp_messages_total").orElse(0) >= messages
                && status.path("rib")
                        .path("routes")
                        .asText()
                        .equals(station.sql("SELECT count(*) FROM bmp.v_rib").getFirst());
    }

    /** Checks the arguments and variables of each start of a station that the page contains. */
    private void checkStarts() throws IOException {
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
    private String sql(Block block) throws SQLException, IOException {
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

    /** Saves a file where the page puts it. If it is a route, waits until the station has loaded it. */
    private void save(Block block) throws IOException {
        String file = file(block);
        if (file != null) {
            Path saved = box.resolve(file);
            Files.createDirectories(saved.getParent());
            Files.writeString(saved, block.text());
            if (file.startsWith("my-routes/")) {
                await().until(() -> station.log().lines().anyMatch(line -> line.contains(file + ": routes ")));
            }
        }
    }

    /** Returns the name of the file that a block contains, null if it contains none. */
    private static @Nullable String file(Block block) {
        Matcher name = SAVED_AS.matcher(block.before());
        return FILES.contains(block.language()) && name.find() ? name.group(1) : null;
    }

    /** Saves the only file that a page shows, before a station starts that needs it. */
    static Path save(Path box, String page) throws IOException {
        for (Block block : new MarkdownPage(Path.of(page)).blocks()) {
            String file = file(block);
            if (file != null) {
                return Files.writeString(box.resolve(file), block.text());
            }
        }
        throw new AssertionError(page + " shows no file");
    }
}
