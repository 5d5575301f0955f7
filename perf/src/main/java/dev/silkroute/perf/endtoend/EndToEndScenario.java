package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A table dump and changes through the whole station: {@code silkroute load} in its own process, TCP, Kafka, the RIB,
 * and durable rows of the current state and the history.
 */
@Command(
        name = "end-to-end",
        description =
                "Routes per second, CPU time and latencies of the whole station: a table dump into an empty station,"
                        + " the same dump again, and changes; a larger dump; each stage alone; and jBMP's writers with"
                        + " the same records.")
public final class EndToEndScenario extends Scenario {
    static final int CHANGING_PREFIXES = 10_000;
    private static final String DUMP = "dump into empty tables, TCP to durable current state and history";
    /** Routes for which a GiB of heap is enough, a third of which is for the RIB. */
    private static final long ROUTES_PER_GIB = 2_000_000;

    private static final double MUST_CPU_STATION = 12;
    private static final double MUST_CPU_KAFKA = 4;
    private static final double MUST_CPU_POSTGRES = 10;

    @Option(names = "--routes", defaultValue = "1000000", description = "Routes of the dump: ${DEFAULT-VALUE}.")
    private long routes;

    @Option(
            names = "--large-routes",
            defaultValue = "5000000",
            description = "Routes of a dump into another station; 0 for none: ${DEFAULT-VALUE}.")
    private long largeRoutes;

    @Option(
            names = "--stations",
            defaultValue = "7",
            description = "Stations that are started for a first dump each: ${DEFAULT-VALUE}.")
    private int stations;

    @Option(names = "--peers", defaultValue = "2", description = "Peers that share them: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(
            names = "--warm-up",
            defaultValue = "20000",
            description = "Routes before the measurement: ${DEFAULT-VALUE}.")
    private long warmUp;

    @Option(
            names = "--churn",
            defaultValue = "0",
            description =
                    "Changes per second after the dumps; 0 for half of what was stored at most: ${DEFAULT-VALUE}.")
    private int churn;

    @Option(names = "--churn-seconds", defaultValue = "60", description = "Seconds of changes: ${DEFAULT-VALUE}.")
    private int churnSeconds;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that a phase may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    /** The CPU times of a start with an empty data directory, and the dump after it. */
    private record FirstDump(CpuTimes start, Phase dump) {
        private CpuTimes cpu() {
            return start.plus(dump.cpu());
        }
    }

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        Path data = folder.resolve("data");
        List<FirstDump> firstDumps = new ArrayList<>();
        while (firstDumps.size() < stations - 1) {
            try (RunningStation station = RunningStation.start(data, Map.of())) {
                firstDumps.add(firstDump(
                        station,
                        new StationLoad(station, limitMinutes),
                        new FinishedRows(station.postgresUrl(), folder)));
            }
            Folders.delete(data);
        }
        List<Phase> phases = new ArrayList<>();
        try (RunningStation station = RunningStation.start(data, Map.of())) {
            StationLoad load = new StationLoad(station, limitMinutes);
            FinishedRows rows = new FinishedRows(station.postgresUrl(), folder);
            firstDumps.add(firstDump(station, load, rows));
            phases.add(firstDumps.getLast().dump());
            rows.export();
            CpuTimes beforeCopy = station.cpu();
            double copySeconds = rows.copy();
            phases.add(new Phase(
                    "psql \\copy of the finished rows",
                    routes,
                    0,
                    copySeconds,
                    station.cpu().minus(beforeCopy),
                    null));
            phases.add(new Jbmp(station).run("jBMP's writers, from Kafka to its tables", routes));
            phases.add(load.dump("the same dump in a new session", routes, peers));
            phases.add(Probe.beside(
                    station,
                    () -> load.besideProbe()
                            .dump(
                                    "dump of another view beside a router with 10 routes/s",
                                    routes,
                                    peers,
                                    "--views",
                                    "adj-rib-in-post")));
            phases.add(load.mostChanges(
                    "changes as fast as they are stored, attributes never seen before", CHANGING_PREFIXES, "steady"));
            Phase most = load.mostChanges("changes as fast as they are stored", CHANGING_PREFIXES);
            phases.add(most);
            int rate = churn > 0 ? churn : StationLoad.halfRate(most);
            phases.add(Probe.beside(
                    station,
                    () -> load.besideProbe()
                            .changes(
                                    "changes at " + rate + "/s and their tables",
                                    CHANGING_PREFIXES,
                                    rate,
                                    churnSeconds)));
        }
        Folders.delete(data);
        Phase large = largeRoutes == 0 ? null : largeDump(folder.resolve("large"));
        List<Phase> stages = SingleStages.measure(folder.resolve("stages"), warmUp, routes, peers, limitMinutes);
        Folders.delete(folder);
        report(firstDumps, phases, large, stages);
        return 0;
    }

    private FirstDump firstDump(RunningStation station, StationLoad load, FinishedRows rows)
            throws IOException, InterruptedException {
        CpuTimes start = station.cpu();
        load.warmUp(warmUp);
        return new FirstDump(start, checkedDump("dump into empty tables", station, load, rows, routes));
    }

    private Phase checkedDump(String name, RunningStation station, StationLoad load, FinishedRows rows, long number)
            throws IOException, InterruptedException {
        Stored before = Stored.read(station, rows);
        Phase phase = load.dump(name, number, peers);
        Stored.read(station, rows).requireAdded(before, number);
        return phase;
    }

    /** A dump of more routes into a station of its own, whose heap is as much larger as the RIB needs. */
    private Phase largeDump(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        long heap = Math.max(1, Math.ceilDiv(largeRoutes, ROUTES_PER_GIB));
        Phase phase;
        try (RunningStation station = RunningStation.start(
                folder.resolve("data"), Map.of("SILKROUTE_JAVA_OPTS", "-Xmx%dg".formatted(heap)))) {
            StationLoad load = new StationLoad(station, limitMinutes);
            load.warmUp(warmUp);
            FinishedRows rows = new FinishedRows(station.postgresUrl(), folder);
            phase = checkedDump("dump of " + number(largeRoutes) + " routes", station, load, rows, largeRoutes);
        }
        Folders.delete(folder);
        return phase;
    }

    private void report(List<FirstDump> firstDumps, List<Phase> phases, @Nullable Phase large, List<Phase> stages)
            throws IOException {
        Phase dump = phases.getFirst();
        Phase copy = phases.get(1);
        Phase jbmp = phases.get(2);
        String checked = "the number of rows in bmp.rib_route, and of rows that both lanes report as committed";
        String checkedEvents = "the number of events that both of jBMP's writers have read";
        String checkedProbe = "each route of another router, with twenty new routes a second, arrived in order";
        String checkedAll =
                "the numbers of rows in bmp.rib_route and bmp.route_event and of routes in the RIB that were"
                        + " added by the dump";
        Phase slowest = Collections.min(stages, Comparator.comparingDouble(EndToEndScenario::perSecond));
        Probe.Latencies churning = Objects.requireNonNull(phases.getLast().latencies());
        List<Line> lines = new ArrayList<>(List.of(
                Line.higher(
                        DUMP,
                        "a thousand routes/s",
                        "thousand routes/s",
                        firstDumps.stream()
                                .mapToDouble(first -> perSecond(first.dump()) / 1e3)
                                .toArray(),
                        50.0,
                        100.0,
                        checked),
                rows("psql \\copy of the finished rows and attribute sets", copy, null, null, dump, checked),
                rows("jBMP's writers, which begin at Kafka", jbmp, 2.0, 4.0, dump, checkedEvents),
                cpuLine("the station's JVM", firstDumps, CpuTimes::station, MUST_CPU_STATION, 6, checked),
                cpuLine("Kafka", firstDumps, CpuTimes::kafka, MUST_CPU_KAFKA, 2, checked),
                cpuLine("PostgreSQL", firstDumps, CpuTimes::postgres, MUST_CPU_POSTGRES, 5, checked),
                latency("socket to RIB", churning.rib(), 50, checkedProbe),
                latency("socket to row", churning.row(), 1_000, checkedProbe),
                Line.higher(
                        DUMP,
                        "the slowest stage: " + slowest.name(),
                        "routes/s",
                        new double[] {perSecond(dump) / perSecond(slowest)},
                        0.5,
                        0.7,
                        checkedAll)));
        if (large != null) {
            lines.add(Line.higher(
                    "dump of " + number(largeRoutes) + " routes into empty tables",
                    "the dump of " + number(routes) + " routes",
                    "routes/s",
                    new double[] {perSecond(large) / perSecond(dump)},
                    0.8,
                    1.0,
                    checkedAll));
            phases.add(large);
        }
        publish(
                lines,
                Stream.concat(
                                phases.stream().map(phase -> row(phase, false)),
                                stages.stream().map(stage -> row(stage, true)))
                        .toList());
    }

    private static double perSecond(Phase phase) {
        return phase.events() / phase.rowSeconds();
    }

    private static String number(long routes) {
        return String.format(Locale.ROOT, "%,d", routes);
    }

    private static Line rows(
            String baseline, Phase phase, @Nullable Double must, @Nullable Double aim, Phase dump, String checked) {
        return Line.higher(
                DUMP, baseline, "routes/s", new double[] {phase.rowSeconds() / dump.rowSeconds()}, must, aim, checked);
    }

    private static Line latency(String path, List<Double> seconds, double must, String checked) {
        return Line.lower(
                "changes at half of the maximum rate, " + path + ", p99",
                "a millisecond",
                "ms",
                new double[] {1e3 * Probe.quantile(seconds, 0.99)},
                must,
                checked);
    }

    private Line cpuLine(
            String process,
            List<FirstDump> firstDumps,
            ToDoubleFunction<CpuTimes> seconds,
            double must,
            double aim,
            String checked) {
        return Line.lower(
                "the same, CPU of " + process + ", start included",
                "a microsecond per route",
                "µs",
                firstDumps.stream()
                        .mapToDouble(first -> 1e6 * seconds.applyAsDouble(first.cpu()) / routes)
                        .toArray(),
                must,
                aim,
                checked);
    }

    /** @param isStage whether the phase was one stage alone, whose time is not that of both tables */
    private static Map<String, Object> row(Phase phase, boolean isStage) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("phase", phase.name());
        row.put("events", phase.events());
        row.put("events/s in the RIB", rate(phase.events(), phase.ribSeconds()));
        String rate = rate(phase.events(), phase.rowSeconds());
        row.put("events/s durable in both tables", isStage ? "" : rate);
        row.put("events/s of one stage", isStage ? rate : "");
        row.put("station or jBMP, CPU s", decimal(phase.cpu().station()));
        row.put("Kafka, CPU s", decimal(phase.cpu().kafka()));
        row.put("PostgreSQL, CPU s", decimal(phase.cpu().postgres()));
        row.put(
                "station or jBMP, µs/event",
                decimal(phase.microsPerEvent(phase.cpu().station())));
        row.put("Kafka, µs/event", decimal(phase.microsPerEvent(phase.cpu().kafka())));
        row.put("PostgreSQL, µs/event", decimal(phase.microsPerEvent(phase.cpu().postgres())));
        Probe.Latencies latencies = phase.latencies();
        row.put("socket to RIB, p50, p99, ms", latencies == null ? "" : quantiles(latencies.rib()));
        row.put("socket to row, p50, p99, ms", latencies == null ? "" : quantiles(latencies.row()));
        return row;
    }

    private static String quantiles(List<Double> seconds) {
        return "%.0f, %.0f".formatted(1e3 * Probe.quantile(seconds, 0.5), 1e3 * Probe.quantile(seconds, 0.99));
    }

    private static String rate(long events, double seconds) {
        return seconds > 0 ? Long.toString(Math.round(events / seconds)) : "";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
