package dev.silkroute.perf.station;

import dev.silkroute.perf.postgres.Processes;
import dev.silkroute.perf.report.Scenario;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** A station with embedded servers on free ports of the loopback address, as {@code ./silkroute run} starts it. */
public final class RunningStation implements AutoCloseable {
    private static final Pattern READY = Pattern.compile(
            "Silkroute is ready: BMP tcp/(\\d+) · HTTP (\\S+) · PostgreSQL (jdbc:\\S+) · Kafka (\\S+).*");
    private static final long STOP_SECONDS = 30;
    /** Ends of the paths of the programs that a station starts. */
    private static final String KAFKA = "/java";

    private static final String POSTGRES = "/postgres";

    private final Process process;
    private final BufferedReader output;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Matcher ready;

    private RunningStation(Process process) throws IOException {
        this.process = process;
        output = process.inputReader();
        ready = ready();
    }

    /**
     * Starts a station and waits until it is ready.
     *
     * @param settings environment variables
     */
    public static RunningStation start(Path data, Map<String, String> settings) throws IOException {
        ProcessBuilder builder = run(data);
        builder.environment().putAll(settings);
        return new RunningStation(builder.start());
    }

    /** The command that starts a station on free ports. Its log is beside the data directory. */
    public static ProcessBuilder run(Path data) {
        return command(
                        "run",
                        "--data-dir",
                        data.toString(),
                        "--bmp-host",
                        "127.0.0.1",
                        "--bmp-port",
                        "0",
                        "--http-port",
                        "0",
                        "--management-port",
                        "0")
                .redirectError(data.resolveSibling(data.getFileName() + ".log").toFile());
    }

    /** A command of the launcher, without the settings of this environment. */
    public static ProcessBuilder command(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(arguments);
        builder.command().addFirst(Scenario.LAUNCHER.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        return builder;
    }

    private Matcher ready() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = READY.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new IOException("the station ended before it was ready");
    }

    public String bmpAddress() {
        return "127.0.0.1:" + ready.group(1);
    }

    public String httpUrl() {
        return ready.group(2);
    }

    public int bmpPort() {
        return Integer.parseInt(ready.group(1));
    }

    /** A URL that contains the certificate of the database's owner. */
    public String jdbcUrl() {
        return ready.group(3);
    }

    /** The same for {@code psql}. */
    public String postgresUrl() {
        return jdbcUrl().substring("jdbc:".length());
    }

    public String bootstrap() {
        return ready.group(4);
    }

    /** The body of the response to a GET request. */
    public String get(String path) throws IOException, InterruptedException {
        return send(path).body();
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(ready.group(2) + path))
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Fails if the health check reports that a part of the station is not ready. */
    public void checkReady() throws IOException, InterruptedException {
        HttpResponse<String> response = send("/q/health/ready");
        if (response.statusCode() != 200) {
            throw new IOException("the station reports readiness but is not ready: " + response.body());
        }
    }

    /** All metrics. A request costs the station some 15 ms of CPU time. */
    public List<String> metrics() throws IOException, InterruptedException {
        return get("/q/metrics").lines().toList();
    }

    /** The sum of a metric over all samples whose labels contain a text. */
    public static double sum(List<String> metrics, String name, String label) {
        return metrics.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /**
     * CPU seconds since the start, by process. Those of programs that the station has run to prepare a new data
     * directory, such as initdb, do not count.
     */
    public CpuTimes cpu() {
        return new CpuTimes(
                process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9,
                children(KAFKA, Processes::cpuSeconds).sum(),
                children(POSTGRES, Processes::cpuSeconds).sum());
    }

    /** Resident memory, by process. */
    public MemoryUse memory() {
        return new MemoryUse(
                residentMib(process.pid()),
                children(KAFKA, RunningStation::residentMib).sum(),
                children(POSTGRES, pid -> Processes.memoryMib(pid, "RssAnon")).sum()
                        + children(POSTGRES, pid -> Processes.memoryMib(pid, "RssShmem"))
                                .max()
                                .orElse(0));
    }

    private DoubleStream children(String program, LongToDoubleFunction measure) {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith(program))
                .mapToLong(ProcessHandle::pid)
                .mapToDouble(measure);
    }

    /**
     * Has the station's JVM collect its whole heap, and waits until it has.
     *
     * @throws IOException if it cannot be asked to
     */
    public void collectGarbage() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!jcmd.waitFor(STOP_SECONDS, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
                throw new IOException("jcmd could not have the station's heap collected");
            }
        } finally {
            jcmd.destroyForcibly();
        }
    }

    public boolean isUp() {
        return process.isAlive();
    }

    /** Resident memory of the station's own process in MiB. */
    public long residentMib() {
        return (long) residentMib(process.pid());
    }

    /** The most resident memory that the station's own process has had since its start, in MiB. */
    public double peakResidentMib() {
        return Processes.memoryMib(process.pid(), "VmHWM");
    }

    private static double residentMib(long pid) {
        return Processes.memoryMib(pid, "VmRSS");
    }

    /** Ends the station by SIGTERM. It must end with exit code 0. */
    public void stop() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("the station did not end as it should");
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        client.close();
    }
}
