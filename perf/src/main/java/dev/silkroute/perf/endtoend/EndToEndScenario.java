package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
                        + " the same dump again, and changes; and jBMP's writers with the same records.")
public final class EndToEndScenario extends Scenario {
    private static final int CHANGING_PREFIXES = 10_000;
    /** Changes per second that no station stores, so that it works at its maximum rate. */
    private static final int MOST_CHANGES = 50_000;

    private static final int MOST_SECONDS = 8;
    private static final double MUST_CPU_STATION = 12;
    private static final double MUST_CPU_KAFKA = 4;
    private static final double MUST_CPU_POSTGRES = 10;

    @Option(names = "--routes", defaultValue = "1000000", description = "Routes of the dump: ${DEFAULT-VALUE}.")
    private long routes;

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

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        List<Phase> phases = new ArrayList<>();
        CpuTimes start;
        try (RunningStation station = RunningStation.start(folder.resolve("data"), Map.of())) {
            start = station.cpu();
            StationLoad load = new StationLoad(station, limitMinutes);
            load.warmUp(warmUp);
            FinishedRows rows = new FinishedRows(station.postgresUrl(), folder);
            long before = rows.count("rib_route");
            phases.add(load.dump("dump into empty tables", routes, peers));
            long stored = rows.count("rib_route") - before;
            if (stored != routes) {
                throw new IOException("the current state has %d of %d routes".formatted(stored, routes));
            }
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
            Phase most =
                    load.changes("changes as fast as they are stored", CHANGING_PREFIXES, MOST_CHANGES, MOST_SECONDS);
            phases.add(most);
            int rate = churn > 0 ? churn : (int) (most.events() / most.rowSeconds() / 2);
            phases.add(Probe.beside(
                    station,
                    () -> load.besideProbe()
                            .changes(
                                    "changes at " + rate + "/s and their tables",
                                    CHANGING_PREFIXES,
                                    rate,
                                    churnSeconds)));
        }
        Folders.delete(folder);
        report(start, phases);
        return 0;
    }

    private void report(CpuTimes start, List<Phase> phases) throws IOException {
        Phase dump = phases.getFirst();
        Phase copy = phases.get(1);
        Phase jbmp = phases.get(2);
        String checked = "the number of rows in bmp.rib_route, and of rows that both lanes report as committed";
        String checkedEvents = "the number of events that both of jBMP's writers have read";
        String checkedProbe = "each route of another router, with ten new routes a second, arrived in order";
        Probe.Latencies churning = Objects.requireNonNull(phases.getLast().latencies());
        CpuTimes all = dump.cpu().plus(start);
        List<Line> lines = List.of(
                Line.higher(
                        "dump into empty tables, TCP to durable current state and history",
                        "a thousand routes/s",
                        "thousand routes/s",
                        new double[] {dump.events() / dump.rowSeconds() / 1e3},
                        50.0,
                        100.0,
                        checked),
                rows("psql \\copy of the finished rows and attribute sets", copy, null, null, dump, checked),
                rows("jBMP's writers, which begin at Kafka", jbmp, 2.0, 4.0, dump, checkedEvents),
                cpuLine("the station's JVM", all.station(), MUST_CPU_STATION, 6, checked),
                cpuLine("Kafka", all.kafka(), MUST_CPU_KAFKA, 2, checked),
                cpuLine("PostgreSQL", all.postgres(), MUST_CPU_POSTGRES, 5, checked),
                latency("socket to RIB", churning.rib(), 50, checkedProbe),
                latency("socket to row", churning.row(), 1_000, checkedProbe));
        publish(lines, phases.stream().map(EndToEndScenario::row).toList());
    }

    private static Line rows(
            String baseline, Phase phase, @Nullable Double must, @Nullable Double aim, Phase dump, String checked) {
        return Line.higher(
                "dump into empty tables, TCP to durable current state and history",
                baseline,
                "routes/s",
                new double[] {phase.rowSeconds() / dump.rowSeconds()},
                must,
                aim,
                checked);
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

    private Line cpuLine(String process, double seconds, double must, double aim, String checked) {
        return Line.lower(
                "the same, CPU of " + process + ", start included",
                "a microsecond per route",
                "µs",
                new double[] {1e6 * seconds / routes},
                must,
                aim,
                checked);
    }

    private static Map<String, Object> row(Phase phase) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("phase", phase.name());
        row.put("events", phase.events());
        row.put("events/s in the RIB", rate(phase.events(), phase.ribSeconds()));
        row.put("events/s durable in both tables", rate(phase.events(), phase.rowSeconds()));
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
