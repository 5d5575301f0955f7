package dev.silkroute.perf.http;

import dev.silkroute.perf.endtoend.Progress;
import dev.silkroute.perf.http.HttpLoad.Requests;
import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.ResidentMemory;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lookups and large responses of a station with a known table, beside changes. The station, the routers and the HTTP
 * client are processes of their own.
 */
@Command(
        name = "http",
        description =
                "Lookups at a fixed rate and at saturation, and responses with 100,000 routes, with and without"
                        + " changes beside them, and one with the whole table to a slow client; requires h2load (Debian: nghttp2-client).")
public final class HttpScenario extends Scenario {
    private static final String CHECKED =
            "every request was answered with 200; lookups before, beside and after the load, and all routes of a large"
                    + " response, with the routes of the known table";
    private static final double MUST_GROWTH = 1.25;
    private static final double MUST_MILLIS = 5;
    private static final int CHANGING_PREFIXES = 10_000;
    private static final int CHECKED_LOOKUPS = 1_000;
    private static final int URLS = 20_000;
    private static final long SEED = 17;

    /** The largest limit of the REST API. */
    private static final int MAX_LIMIT = 1_000_000;

    @Option(names = "--routes", defaultValue = "1000000", description = "Routes of the table: ${DEFAULT-VALUE}.")
    private int routes;

    @Option(names = "--rate", defaultValue = "2000", description = "Lookups per second: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--churn", defaultValue = "5000", description = "Changes per second: ${DEFAULT-VALUE}.")
    private int churn;

    @Option(names = "--seconds", defaultValue = "60", description = "Seconds of each run: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--connections",
            defaultValue = "32",
            description = "Connections of the HTTP client: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--covered",
            defaultValue = "100000",
            description = "Routes of a large response, at most those of the table: ${DEFAULT-VALUE}.")
    private int covered;

    @Option(names = "--large", defaultValue = "40", description = "Large responses: ${DEFAULT-VALUE}.")
    private int large;

    @Option(
            names = "--slow-rate",
            defaultValue = "16",
            description = "MiB per second at which a client reads the whole table: ${DEFAULT-VALUE}.")
    private int slowRate;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that loading may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (routes < 1 || routes > KnownTable.MAX_ROUTES) {
            throw new IOException("--routes must be between 1 and " + KnownTable.MAX_ROUTES);
        }
        Path folder = emptyFolder();
        HttpLoad http = HttpLoad.find(folder);
        KnownTable table = new KnownTable(routes);
        Path session = folder.resolve("known.bmp");
        table.write(session);
        List<Line> lines = new ArrayList<>();
        try (RunningStation station = RunningStation.start(folder.resolve("data"), Map.of())) {
            Process router =
                    start("replay", session.toString(), "--to", station.bmpAddress(), "--speed", "max", "--hold");
            try {
                new Progress(station).awaitEnd(System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes));
                measure(station, folder, http, new AnswerCheck(station, table), lines);
            } finally {
                stop(router);
            }
        }
        Folders.delete(folder);
        publish(
                routes + " routes, " + churn + " changes/s, h2load with " + connections + " connections, " + seconds
                        + " s each",
                lines,
                rows);
        return 0;
    }

    private void measure(RunningStation station, Path folder, HttpLoad http, AnswerCheck check, List<Line> lines)
            throws IOException, InterruptedException {
        check.lookups(CHECKED_LOOKUPS, SEED);
        Path urls = lookupUrls(folder, station.httpUrl());
        http.saturating(urls, connections, Math.max(1, seconds / 3)); // compiles the code
        Requests quiet =
                lookups(station, "lookups at " + rate + "/s", () -> http.atRate(urls, connections, rate, seconds));
        Requests quietMost =
                lookups(station, "lookups at saturation", () -> http.saturating(urls, connections, seconds));
        Process changes = start(
                "load",
                "--to",
                station.bmpAddress(),
                "--seed",
                "7",
                "--peers",
                "1",
                "--prefixes",
                Integer.toString(CHANGING_PREFIXES),
                "--churn",
                Integer.toString(churn),
                "--duration",
                "24h");
        try {
            Requests beside = lookups(
                    station,
                    "lookups at " + rate + "/s beside changes",
                    () -> http.atRate(urls, connections, rate, seconds));
            Requests bursts = lookups(
                    station,
                    "lookups at " + rate + "/s in bursts of " + connections + " beside changes",
                    () -> http.inBursts(urls, connections, rate, seconds));
            Requests most = lookups(
                    station, "lookups at saturation beside changes", () -> http.saturating(urls, connections, seconds));
            lines.addAll(lookupLines(quiet, beside, bursts));
            lines.add(Line.higher(
                    "lookups at saturation, beside changes",
                    "the same without changes",
                    "requests/s",
                    new double[] {most.perSecond() / quietMost.perSecond()},
                    null,
                    null,
                    CHECKED));
            check.lookups(CHECKED_LOOKUPS, SEED + 1);
            lines.add(largeResponses(station, folder, http, check));
            lines.add(wholeTable(station));
            if (!changes.isAlive()) {
                throw new IOException("silkroute load ended before the measurement");
            }
        } finally {
            stop(changes);
        }
        check.lookups(CHECKED_LOOKUPS, SEED + 2);
    }

    private List<Line> lookupLines(Requests quiet, Requests beside, Requests bursts) {
        List<Line> lines = new ArrayList<>();
        lines.add(latency("p50", quiet.millis(0.5), null));
        lines.add(latency("p50, beside changes", beside.millis(0.5), null));
        lines.add(latency("p99", quiet.millis(0.99), MUST_MILLIS));
        lines.add(latency("p99, beside changes", beside.millis(0.99), MUST_MILLIS));
        lines.add(latency("p99, in bursts of " + connections + ", beside changes", bursts.millis(0.99), null));
        return lines;
    }

    private Line latency(String name, double millis, @Nullable Double must) {
        return Line.lower(
                "lookup at " + rate + "/s, " + name, "a millisecond", "ms", new double[] {millis}, must, CHECKED);
    }

    /** A run of the HTTP client. */
    private interface Run {
        Requests call() throws IOException, InterruptedException;
    }

    private Requests lookups(RunningStation station, String name, Run run) throws IOException, InterruptedException {
        double cpu = station.cpu().station();
        Requests requests = run.call();
        if (requests.failed() > 0 || requests.micros().length == 0) {
            throw new IOException(name + ": " + requests.failed() + " of "
                    + (requests.failed() + requests.micros().length) + " requests failed");
        }
        double micros = 1e6 * (station.cpu().station() - cpu) / requests.micros().length;
        row(name, requests, "station's JVM %.0f µs of CPU for each, changes included".formatted(micros));
        return requests;
    }

    /** The memory of the station must not grow with the number of routes in a response. */
    private Line largeResponses(RunningStation station, Path folder, HttpLoad http, AnswerCheck check)
            throws IOException, InterruptedException {
        int expected = Math.min(covered, Math.min(routes, KnownTable.COVERED));
        String path = "/api/v1/routes?router=" + KnownTable.ROUTER + "&match=covered&limit=" + expected + "&prefix="
                + KnownTable.COVERING;
        check.covered(path, expected);
        Path url = folder.resolve("covered.txt");
        Files.writeString(url, station.httpUrl() + path + "\n");
        long before = station.residentMib();
        Requests responses;
        long peak;
        try (ResidentMemory memory = ResidentMemory.watch(station::residentMib)) {
            responses = http.times(url, Math.min(4, large), large);
            peak = memory.peakMib();
        }
        if (responses.failed() > 0 || responses.micros().length != large) {
            throw new IOException(
                    responses.micros().length + " of " + large + " large requests were answered with 200");
        }
        check.covered(path, expected);
        String name = "%,d routes covered by %s".formatted(expected, KnownTable.COVERING);
        row(
                name,
                responses,
                "resident memory of the station's JVM %d MiB before, %d MiB at most".formatted(before, peak));
        return Line.lower(
                "resident memory beside 4 responses with " + name,
                "before them",
                "MiB",
                new double[] {(double) peak / before},
                MUST_GROWTH,
                CHECKED);
    }

    /** Neither must it grow with the routes that a client has not yet read. */
    private Line wholeTable(RunningStation station) throws IOException, InterruptedException {
        int expected = Math.min(routes, MAX_LIMIT);
        String path = "/api/v1/routes?router=" + KnownTable.ROUTER + "&limit=" + expected;
        long before = station.residentMib();
        double elapsed;
        long peak;
        try (ResidentMemory memory = ResidentMemory.watch(station::residentMib)) {
            elapsed = new SlowReader(station, slowRate << 20).read(path, expected);
            peak = memory.peakMib();
        }
        String name = "%,d routes, read at %d MiB/s".formatted(expected, slowRate);
        row(
                name,
                new Requests(elapsed, new double[] {1e6 * elapsed}, 0),
                "resident memory of the station's JVM %d MiB before, %d MiB at most".formatted(before, peak));
        return Line.lower(
                "resident memory beside a response with " + name,
                "before it",
                "MiB",
                new double[] {(double) peak / before},
                MUST_GROWTH,
                CHECKED);
    }

    private void row(String name, Requests requests, String note) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("requests", name);
        row.put("number", requests.micros().length);
        row.put("per second", decimal(requests.perSecond()));
        row.put("p50, ms", decimal(requests.millis(0.5)));
        row.put("p99, ms", decimal(requests.millis(0.99)));
        row.put("p99.9, ms", decimal(requests.millis(0.999)));
        row.put("longest, ms", decimal(requests.millis(1)));
        row.put("", note);
        rows.add(row);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private Path lookupUrls(Path folder, String url) throws IOException {
        Random random = new Random(SEED);
        Path file = folder.resolve("lookups.txt");
        Files.write(
                file,
                random.ints(URLS, 0, routes)
                        .mapToObj(n -> url + "/api/v1/lookup?address=" + KnownTable.address(n))
                        .toList());
        return file;
    }

    private static Process start(String... arguments) throws IOException {
        return RunningStation.command(arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void stop(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
