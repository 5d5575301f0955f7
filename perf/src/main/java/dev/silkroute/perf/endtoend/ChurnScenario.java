package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An hour of changes through the whole station, at half of the rate at which it can store them: latencies, memory and
 * disk by minute, and whether anything grows. Another router's table is in the station meanwhile.
 */
@Command(
        name = "churn",
        description = "An hour of changes at half of the maximum rate of the whole station: latencies, memory, disk and"
                + " lag by minute, what grows, and whether every event becomes a row.")
public final class ChurnScenario extends Scenario {
    /** The address of the first router of a load with source addresses, and the name by which the station has it. */
    private static final String TABLE_ADDRESS = "127.1.0.1";

    private static final String TABLE_ROUTER = "table";
    /** The name of the first router of a load. */
    private static final String CHANGING_ROUTER = "load-0001";

    private static final int TABLE_PEERS = 2;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
    /** Phases in which the highest rate is looked for. */
    private static final int MOST_CHANGES_PHASES = 8;

    private static final double MOST_GROWTH = 1.1;
    /** The least share of the rate that must be reached. Less than 1, because samples may be taken a little early. */
    private static final double LEAST_OF_RATE = 0.98;

    @Option(names = "--minutes", defaultValue = "60", description = "Minutes of changes: ${DEFAULT-VALUE}.")
    private int minutes;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "Changes per second; 0 for half of what was stored at most: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--prefixes",
            defaultValue = "" + EndToEndScenario.CHANGING_PREFIXES,
            description = "Prefixes that change: ${DEFAULT-VALUE}.")
    private int prefixes;

    @Option(
            names = "--routes",
            defaultValue = "1000000",
            description = "Routes of the other router's table: ${DEFAULT-VALUE}.")
    private long routes;

    @Option(
            names = "--warm-up",
            defaultValue = "20000",
            description = "Routes before the measurement: ${DEFAULT-VALUE}.")
    private long warmUp;

    @Option(
            names = "--limit",
            defaultValue = "15",
            description = "Minutes that storing may take in addition: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    /**
     * A run.
     *
     * @param rate changes per second
     * @param sent the load, each event of which has its row
     * @param all latencies of all routes of the probe that were sent during the changes
     * @param first latencies of those of the first quarter
     * @param last latencies of those of the last quarter
     * @param byMinute latencies of the routes that were sent in each minute
     * @param before what the station used before
     * @param samples what it used at the end of each minute
     * @param liveHeaps MiB of the heap in use after a full collection: before, in the middle, and at the end
     */
    private record Run(
            int rate,
            StationLoad.Sent sent,
            Probe.Latencies all,
            Probe.Latencies first,
            Probe.Latencies last,
            List<Probe.Latencies> byMinute,
            StationSample before,
            List<StationSample> samples,
            List<Double> liveHeaps) {}

    @Override
    public Integer call() throws Exception {
        if (minutes < 2 || minutes > Probe.LONGEST_MINUTES) {
            throw new IllegalArgumentException("--minutes must be 2 to " + Probe.LONGEST_MINUTES);
        }
        Path folder = emptyFolder();
        Path data = folder.resolve("data");
        Map<String, String> settings = Map.of("SILKROUTE_ROUTER_NAMES", TABLE_ADDRESS + "=" + TABLE_ROUTER);
        Run run;
        try (RunningStation station = RunningStation.start(data, settings)) {
            StationLoad load = new StationLoad(station, minutes + limitMinutes);
            load.warmUp(warmUp);
            FinishedRows rows = new FinishedRows(station.postgresUrl(), folder);
            try (StationLoad.HeldDump _ = load.holdDump("table", routes, TABLE_PEERS, "--source-addresses")) {
                run = run(station, data, load, rows, rate > 0 ? rate : half(load));
            }
        }
        Folders.delete(folder);
        report(run);
        return 0;
    }

    /**
     * Returns half of the highest rate at which the station stores changes. It stores the most when all of its code is
     * compiled, which takes several phases.
     */
    private int half(StationLoad load) throws IOException, InterruptedException {
        int half = 0;
        for (int i = 1; i <= MOST_CHANGES_PHASES; i++) {
            int next = StationLoad.halfRate(load.mostChanges("changes as fast as they are stored", prefixes));
            System.err.printf(
                    "phase %d of %d: half of what was stored is %d changes/s%n", i, MOST_CHANGES_PHASES, next);
            half = Math.max(half, next);
        }
        return half;
    }

    private Run run(RunningStation station, Path data, StationLoad load, FinishedRows rows, int perSecond)
            throws Exception {
        long rowsBefore = events(rows);
        List<Double> liveHeaps = new ArrayList<>(List.of(StationSample.liveHeapMib(station)));
        StationSample before = StationSample.take(station, data);
        List<StationSample> samples = new ArrayList<>();
        try (Probe probe = new Probe(station)) {
            ExecutorService sender = Executors.newSingleThreadExecutor();
            try {
                long start = System.nanoTime();
                int seconds = Math.toIntExact(TimeUnit.MINUTES.toSeconds(minutes));
                Future<StationLoad.Sent> changes =
                        sender.submit(() -> load.besideProbe().sendChanges(prefixes, perSecond, seconds));
                for (int minute = 1; minute <= minutes; minute++) {
                    sleep(changes, start + minute * MINUTE);
                    StationSample sample = StationSample.take(station, data);
                    System.err.println(sample);
                    samples.add(sample);
                    requireRate(perSecond, minute, sample.events() - before.events());
                    if (minute == minutes / 2) {
                        liveHeaps.add(StationSample.liveHeapMib(station));
                    }
                }
                StationLoad.Sent sent = changes.get(limitMinutes, TimeUnit.MINUTES);
                probe.stop();
                liveHeaps.add(StationSample.liveHeapMib(station));
                requireRows(sent.events(), events(rows) - rowsBefore);
                return new Run(
                        perSecond,
                        sent,
                        between(probe, start, 0, minutes),
                        between(probe, start, 0, minutes / 4.0),
                        between(probe, start, 0.75 * minutes, minutes),
                        byMinute(probe, start),
                        before,
                        samples,
                        liveHeaps);
            } finally {
                sender.shutdownNow();
            }
        }
    }

    /**
     * Waits until a time.
     *
     * @throws ExecutionException if the load fails before it
     * @throws IOException if the load ends before it
     */
    private static void sleep(Future<?> load, long until) throws IOException, InterruptedException, ExecutionException {
        try {
            load.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            throw new IOException("the changes have ended early");
        } catch (TimeoutException e) {
            // The load is still running, as it should
        }
    }

    /** Ends the run if the station has slowed the router down. A change causes at least one event. */
    private static void requireRate(int perSecond, int minute, long events) throws IOException {
        double seconds = TimeUnit.MINUTES.toSeconds(minute);
        if (events < LEAST_OF_RATE * perSecond * seconds) {
            throw new IOException("the station has not kept up: %.0f events/s after %d minutes, of %d changes/s"
                    .formatted(events / seconds, minute, perSecond));
        }
    }

    /** The events of the changing router in the history that it has sent itself. */
    private static long events(FinishedRows rows) throws IOException, InterruptedException {
        return rows.count("route_event join bmp.peer using (peer_id) join bmp.router using (router_id)"
                + " where not synthetic and name = '" + CHANGING_ROUTER + "'");
    }

    private static void requireRows(long sent, long stored) throws IOException {
        if (sent != stored) {
            throw new IOException("%d events were sent, the history has %d".formatted(sent, stored));
        }
    }

    private List<Probe.Latencies> byMinute(Probe probe, long start) throws ExecutionException, InterruptedException {
        List<Probe.Latencies> latencies = new ArrayList<>();
        for (int minute = 0; minute < minutes; minute++) {
            latencies.add(between(probe, start, minute, minute + 1));
        }
        return latencies;
    }

    private static Probe.Latencies between(Probe probe, long start, double fromMinute, double toMinute)
            throws ExecutionException, InterruptedException {
        return probe.sentBetween(start + (long) (fromMinute * MINUTE), start + (long) (toMinute * MINUTE));
    }

    private void report(Run run) throws IOException {
        String checked =
                "each of the " + number(run.sent.events()) + " announcements and withdrawals that silkroute load has"
                        + " sent is a row in bmp.route_event, and each route of another router, with twenty new routes a"
                        + " second, arrived in order";
        StationSample end = run.samples.getLast();
        List<Line> lines = List.of(
                Line.higher(
                        "rate of the changes over " + minutes + " minutes",
                        "half of the maximum rate",
                        "changes/s",
                        new double[] {TimeUnit.MINUTES.toSeconds(minutes) / run.sent.seconds()},
                        LEAST_OF_RATE,
                        null,
                        checked),
                latency("socket to RIB, p99", run.all.ribMillis(0.99), 50.0, 10.0, checked),
                latency("socket to row, p99", run.all.rowMillis(0.99), 1_000.0, 300.0, checked),
                latency("socket to RIB, p50", run.all.ribMillis(0.5), null, null, checked),
                latency("socket to row, p50", run.all.rowMillis(0.5), null, null, checked),
                quarters("socket to RIB, p99", run.last.ribMillis(0.99) / run.first.ribMillis(0.99), checked),
                quarters("socket to row, p99", run.last.rowMillis(0.99) / run.first.rowMillis(0.99), checked),
                growth(
                        "the station's heap after a full collection, at the end",
                        "in the middle",
                        run.liveHeaps.getLast() / run.liveHeaps.get(1),
                        MOST_GROWTH,
                        checked),
                halves("the station's heap after its last collection", run, StationSample::heap, null, checked),
                halves("the station's resident memory", run, s -> s.memory().station(), MOST_GROWTH, checked),
                halves("Kafka's resident memory", run, s -> s.memory().kafka(), MOST_GROWTH, checked),
                halves("PostgreSQL's resident memory", run, s -> s.memory().postgres(), MOST_GROWTH, checked),
                disk("Kafka's files", run, end.kafkaDisk() - run.before.kafkaDisk(), checked),
                disk("the database, without its log", run, end.database() - run.before.database(), checked));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int minute = 0; minute < run.samples.size(); minute++) {
            StationSample previous = minute == 0 ? run.before : run.samples.get(minute - 1);
            rows.add(row(minute + 1, previous, run.samples.get(minute), run.byMinute.get(minute)));
        }
        publish(
                ("%s changes/s for %d minutes, sent in %s s, of %s prefixes beside a table of %s routes; heap after full"
                                + " collections before, in the middle and at the end: %s MiB")
                        .formatted(
                                number(run.rate),
                                minutes,
                                whole(run.sent.seconds()),
                                number(prefixes),
                                number(routes),
                                String.join(
                                        ", ",
                                        run.liveHeaps.stream()
                                                .map(ChurnScenario::whole)
                                                .toList())),
                lines,
                rows);
    }

    private static Line latency(
            String path, double millis, @Nullable Double must, @Nullable Double aim, String checked) {
        return Line.lower(
                "changes at half of the maximum rate, " + path,
                "a millisecond",
                "ms",
                new double[] {millis},
                must,
                aim,
                checked);
    }

    private static Line quarters(String path, double ratio, String checked) {
        return growth(path + ", in the last quarter", "in the first quarter", ratio, null, checked);
    }

    private static Line halves(
            String what, Run run, ToDoubleFunction<StationSample> value, @Nullable Double must, String checked) {
        int half = run.samples.size() / 2;
        return growth(
                what + ", median of the second half's minutes",
                "of the first half's",
                median(run.samples.subList(half, run.samples.size()), value)
                        / median(run.samples.subList(0, half), value),
                must,
                checked);
    }

    private static double median(List<StationSample> samples, ToDoubleFunction<StationSample> value) {
        return Line.median(samples.stream().mapToDouble(value).toArray());
    }

    private static Line growth(String measure, String baseline, double ratio, @Nullable Double must, String checked) {
        return Line.lower(measure, baseline, "growth", new double[] {ratio}, must, checked);
    }

    private static Line disk(String what, Run run, double mib, String checked) {
        return Line.lower(
                what + ", growth for each event",
                "a byte",
                "B",
                new double[] {mib * (1 << 20) / run.sent.events()},
                checked);
    }

    private static Map<String, Object> row(
            int minute, StationSample previous, StationSample sample, Probe.Latencies latencies) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("minute", minute);
        row.put("until, UTC", TIME.format(sample.at()));
        double seconds = Duration.between(previous.at(), sample.at()).toMillis() / 1e3;
        row.put("events/s in the RIB", whole((sample.events() - previous.events()) / seconds));
        row.put("socket to RIB, p50, ms", whole(latencies.ribMillis(0.5)));
        row.put("socket to RIB, p99, ms", whole(latencies.ribMillis(0.99)));
        row.put("socket to row, p50, ms", whole(latencies.rowMillis(0.5)));
        row.put("socket to row, p99, ms", whole(latencies.rowMillis(0.99)));
        row.put("heap after collection, MiB", whole(sample.heap()));
        row.put("station, resident MiB", whole(sample.memory().station()));
        row.put("Kafka, resident MiB", whole(sample.memory().kafka()));
        row.put("PostgreSQL, resident MiB", whole(sample.memory().postgres()));
        row.put("Kafka on disk, MiB", whole(sample.kafkaDisk()));
        row.put("PostgreSQL on disk, MiB", whole(sample.postgresDisk()));
        row.put("database, MiB", whole(sample.database()));
        row.put("lag of history, records", sample.historyLag());
        row.put("lag of current state, records", sample.currentLag());
        return row;
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
