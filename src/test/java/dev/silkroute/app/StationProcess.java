package dev.silkroute.app;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.awaitility.Awaitility.await;

import dev.silkroute.chaos.Topic;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A station as its users run it, {@code ./silkroute run} as a child process on free ports of the loopback address, for
 * tests. The station must have been built, which is so in the integration tests. {@link #close} leaves no process behind.
 */
public final class StationProcess implements AutoCloseable {
    private static final Duration READY_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    /** What lives for seconds isn't compiled twice. Options of a test's own, for a station that has much to do, take its place. */
    public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    private static final Pattern READY = Pattern.compile(
            "Silkroute is ready: BMP (?:tcp/(\\d+)|off) · HTTP http://(?:127\\.0\\.0\\.1|\\[::1]):(\\d+) · PostgreSQL (jdbc:postgresql://\\S+) · Kafka (\\S+)");

    private final Path directory;
    private final Process process;
    private final Output output;
    private final Matcher ready;

    /** How a command ended, with all that it wrote. */
    public record Outcome(int exitCode, String stdout, String stderr) {}

    /** What a process writes, each stream to a file. */
    private record Output(Path stdout, Path stderr) {
        static Output create() throws IOException {
            Path folder = Files.createDirectories(Path.of("target", "stations"));
            return new Output(
                    Files.createTempFile(folder, "station", ".out"), Files.createTempFile(folder, "station", ".err"));
        }

        Outcome outcome(int exitCode) {
            return new Outcome(exitCode, text(stdout), text(stderr));
        }
    }

    private StationProcess(Path directory, Process process, Output output) {
        this.directory = directory;
        this.process = process;
        this.output = output;
        this.ready = awaitReady();
    }

    /** Starts a station and waits until it says that it is ready. Ports and address may be among the options. */
    public static StationProcess start(Path directory, String... options) {
        return start(Map.of(), directory, options);
    }

    public static StationProcess start(Map<String, String> environment, Path directory, String... options) {
        try {
            Output output = Output.create();
            Process process = launch(environment, output, runArguments(directory, options));
            return new StationProcess(directory, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A start that is expected to fail: runs it to its end. */
    public static Outcome startFailing(Path directory, String... options) {
        return command(Map.of(), runArguments(directory, options));
    }

    /** Runs {@code ./silkroute} with these arguments to its end. */
    public static Outcome command(String... arguments) {
        return command(Map.of(), arguments);
    }

    public static Outcome command(Map<String, String> environment, String... arguments) {
        try {
            Output output = Output.create();
            Process process = launch(environment, output, arguments);
            if (!process.waitFor(READY_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running: " + output.outcome(-1));
            }
            return output.outcome(process.exitValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Path directory() {
        return directory;
    }

    public String readyLine() {
        return ready.group();
    }

    /** 0 where the station takes no BMP sessions. */
    public int bmpPort() {
        return ready.group(1) == null ? 0 : Integer.parseInt(ready.group(1));
    }

    public int httpPort() {
        return Integer.parseInt(ready.group(2));
    }

    public String jdbcUrl() {
        return ready.group(3);
    }

    public String kafkaBootstrap() {
        return ready.group(4);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What the station has logged so far. */
    public String log() {
        return text(output.stderr());
    }

    public String stdout() {
        return text(output.stdout());
    }

    /** The embedded broker's process. */
    public Optional<ProcessHandle> kafka() {
        return server("kafka");
    }

    /** The embedded database's guard, with the server as its child. */
    public Optional<ProcessHandle> postgres() {
        return server("postgres");
    }

    /** Every process the station has started, and theirs. */
    public List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /** What a query answers, each row as its values' texts joined by {@code |}, null as {@code -}. */
    public List<String> sql(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> answer = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    String value = rows.getString(i);
                    values.add(value == null ? "-" : value);
                }
                answer.add(String.join("|", values));
            }
            return answer;
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    /** All that a topic has, partition by partition. */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        Topic.read(kafkaBootstrap(), topic, records::add);
        return records;
    }

    /** GET of a path such as {@code /api/v1/status}. */
    public HttpResponse<String> get(String path) {
        return send(path, HttpRequest.newBuilder());
    }

    /**
     * What {@code /q/metrics} says of a meter now: the sum over its lines that have all these labels.
     *
     * @param labels such as {@code router="edge"}
     * @return nothing if there is no such line
     */
    public OptionalDouble meter(String name, String... labels) {
        double[] values = get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Arrays.stream(values).sum());
    }

    /** POST of a body of a content type to such a path. */
    public HttpResponse<String> post(String path, String type, String body) {
        return send(
                path,
                HttpRequest.newBuilder().header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(String path, HttpRequest.Builder request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    request.uri(URI.create("http://127.0.0.1:" + httpPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGTERM; the exit code. */
    public int stop() {
        process.destroy();
        await().atMost(STOP_LIMIT).pollInterval(50, MILLISECONDS).until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** SIGKILL to the station alone. */
    public void killHard() {
        process.destroyForcibly();
        await().atMost(STOP_LIMIT).pollInterval(10, MILLISECONDS).until(() -> !process.isAlive());
    }

    /** Stops the station where it still runs; its servers end with it, at the latest when they notice that it is gone. */
    @Override
    public void close() {
        List<ProcessHandle> left = Stream.concat(
                        children().stream(), Stream.of("kafka", "postgres").flatMap(name -> server(name).stream()))
                .toList();
        if (process.isAlive()) {
            process.destroy();
            try {
                if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        await().atMost(STOP_LIMIT)
                .pollInterval(50, MILLISECONDS)
                .until(() -> left.stream().noneMatch(ProcessHandle::isAlive));
    }

    private Matcher awaitReady() {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            Matcher line = READY.matcher(stdout());
            if (line.find()) {
                return line;
            }
            if (!process.isAlive()) {
                throw new AssertionError("the station did not start: " + output.outcome(process.exitValue()));
            }
            awaitChange();
        }
        process.destroyForcibly();
        throw new AssertionError("the station was not ready in time: " + output.outcome(-1));
    }

    private void awaitChange() {
        try {
            process.waitFor(50, MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Optional<ProcessHandle> server(String name) {
        Path file = directory.resolve("servers.properties");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties servers = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            servers.load(reader);
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(servers.getProperty(name))
                .flatMap(value -> ProcessHandle.of(Long.parseLong(value.split(" ")[0])));
    }

    private static Process launch(Map<String, String> environment, Output output, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("./silkroute"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.stdout().toFile())
                .redirectError(output.stderr().toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        builder.environment().put("SILKROUTE_JAVA_OPTS", String.join(" ", SharedClasses.STATION.options()));
        builder.environment()
                .put("SILKROUTE_EMBEDDED_KAFKA_JAVA_OPTS", String.join(" ", SharedClasses.KAFKA.options()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String[] runArguments(Path directory, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", "--data-dir", directory.toString()));
        List<String> given = Arrays.asList(options);
        Map.of("--bmp-host", "127.0.0.1", "--bmp-port", "0", "--http-port", "0").forEach((option, value) -> {
            if (!given.contains(option)) {
                arguments.addAll(List.of(option, value));
            }
        });
        arguments.addAll(given);
        return arguments.toArray(String[]::new);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
