package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Stations with VRPs and alert rules, stations that trace, and stations with neither, in turns: how much the evaluation
 * of each event, and traces, cost the path from the socket to durable rows. All processes share the machine, so a lane
 * that only runs beside this path costs it as well.
 */
@Command(
        name = "insight",
        description =
                "Routes and changes per second of the whole station with VRPs and alert rules, and with traces, compared"
                        + " with a station without.")
public final class InsightScenario extends Scenario {
    private static final String CHECKED =
            "the number of rows in bmp.rib_route, and of rows that both lanes report as committed; routes of all listed"
                    + " prefixes were evaluated; no span was lost";
    private static final int CHANGING_PREFIXES = 10_000;
    /** One VRP in so many has another origin AS, so that routes of the prefix are invalid. */
    private static final int INVALID = 10;

    private static final Map<String, String> LAG_INTERVAL = Map.of("SILKROUTE_WRITER_LAG_INTERVAL", "1s");

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
            defaultValue = "50000",
            description = "Changes per second after the dump, more than a station stores: ${DEFAULT-VALUE}.")
    private int churn;

    @Option(names = "--churn-seconds", defaultValue = "8", description = "Seconds of changes: ${DEFAULT-VALUE}.")
    private int churnSeconds;

    @Option(names = "--vrps", defaultValue = "500000", description = "VRPs: ${DEFAULT-VALUE}.")
    private int vrps;

    @Option(names = "--prefixes", defaultValue = "1000", description = "Prefixes with alert rules: ${DEFAULT-VALUE}.")
    private int prefixes;

    @Option(names = "--ratio", defaultValue = "0.001", description = "Share of traced batches: ${DEFAULT-VALUE}.")
    private double ratio;

    @Option(names = "--rounds", defaultValue = "3", description = "Stations of each kind: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that a phase may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    /** The settings of a station beside the packaged ones. */
    private enum Kind {
        PLAIN("without", 1),
        INSIGHT("with VRPs and alert rules", 0.85),
        TRACED("with traces", 0.9);

        private final String text;
        private final double mustShare;

        /** @param mustShare of the events per second without */
        Kind(String text, double mustShare) {
            this.text = text;
            this.mustShare = mustShare;
        }
    }

    /** The work of a station in one round. */
    private record Measured(Phase dump, Phase changes) {}

    private final Map<Kind, List<Measured>> measured = new EnumMap<>(Kind.class);

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        try (TraceSink traces = new TraceSink()) {
            Map<Kind, Map<String, String>> settings = Map.of(
                    Kind.PLAIN, Map.of(),
                    Kind.INSIGHT, settings(folder),
                    Kind.TRACED,
                            Map.of(
                                    "SILKROUTE_TRACING_OTLP_ENDPOINT",
                                    traces.url(),
                                    "SILKROUTE_TRACING_RATIO",
                                    Double.toString(ratio)));
            List<Kind> order = new ArrayList<>(List.of(Kind.values()));
            for (int round = 0; round < rounds; round++) {
                for (Kind kind : order) {
                    measured.computeIfAbsent(kind, _ -> new ArrayList<>())
                            .add(measure(folder, kind, Objects.requireNonNull(settings.get(kind))));
                }
                Collections.rotate(order, 1);
            }
        }
        Folders.delete(folder);
        report();
        return 0;
    }

    /** Makes VRPs and rules of the routes that a station has after the dump. */
    private Map<String, String> settings(Path folder) throws IOException, InterruptedException {
        Path vrpFile = folder.resolve("vrps.csv");
        Path rules = folder.resolve("prefixes.yml");
        try (RunningStation station = RunningStation.start(folder.resolve("data"), Map.of())) {
            new StationLoad(station, limitMinutes).dump("routes for VRPs and rules", routes, peers);
            String origins =
                    "(select distinct on (prefix) prefix, origin_asn from bmp.v_rib where origin_asn is not null"
                            + " order by prefix limit " + vrps + ")";
            Psql.run(
                    station.postgresUrl(),
                    ("\\copy (select 'AS' || origin_asn + (row_number() over () %% %d = 0)::int as \"ASN\","
                                    + " prefix as \"IP Prefix\", masklen(prefix) as \"Max Length\","
                                    + " 'perf' as \"Trust Anchor\" from %s o) to '%s' with (format csv, header)")
                            .formatted(INVALID, origins, vrpFile));
            String[] listed = Psql.run(
                            station.postgresUrl(),
                            "select format('\"%s\": {description: \"\", asn: [%s], ignoreMorespecifics: false}',"
                                    + " prefix, origin_asn) from " + origins + " o order by hashtext(prefix::text)"
                                    + " limit " + prefixes)
                    .split("\n", -1);
            Files.write(rules, List.of(listed));
        }
        Folders.delete(folder.resolve("data"));
        return Map.of(
                "SILKROUTE_ROUTES_ALERTS_ENABLED",
                "true",
                "SILKROUTE_ALERTS_RULES",
                rules.toString(),
                "SILKROUTE_RPKI_VRPS",
                vrpFile.toString());
    }

    private Measured measure(Path folder, Kind kind, Map<String, String> settings)
            throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        Map<String, String> all = new LinkedHashMap<>(LAG_INTERVAL);
        all.putAll(settings);
        try (RunningStation station = RunningStation.start(data, all)) {
            StationLoad load = new StationLoad(station, limitMinutes);
            load.warmUp(warmUp);
            FinishedRows rows = new FinishedRows(station.postgresUrl(), folder);
            long before = rows.count("rib_route");
            Phase dump = load.dump("dump into empty tables", routes, peers);
            long stored = rows.count("rib_route") - before;
            if (stored != routes) {
                throw new IOException("the current state has %d of %d routes".formatted(stored, routes));
            }
            Phase changes = load.changes("changes as fast as they are stored", CHANGING_PREFIXES, churn, churnSeconds);
            switch (kind) {
                case PLAIN -> {}
                case INSIGHT -> checkAlerts(station);
                case TRACED -> checkTraces(station);
            }
            return new Measured(dump, changes);
        } finally {
            Folders.delete(data);
        }
    }

    /** The routes of all listed prefixes must have been evaluated. */
    private void checkAlerts(RunningStation station) throws IOException, InterruptedException {
        double evaluated = RunningStation.sum(station.metrics(), "silkroute_alerts_routes", "");
        if (evaluated < prefixes) {
            throw new IOException("only %.0f routes are evaluated for alerts".formatted(evaluated));
        }
    }

    /** No span may have been lost. The number of traced batches is random, and may be 0. */
    private static void checkTraces(RunningStation station) throws IOException, InterruptedException {
        List<String> spans = station.metrics().stream()
                .filter(line -> line.startsWith("silkroute_tracing_spans_total"))
                .toList();
        double lost = RunningStation.sum(spans, "silkroute_tracing_spans_total", "dropped")
                + RunningStation.sum(spans, "silkroute_tracing_spans_total", "failed");
        if (spans.isEmpty() || lost > 0) {
            throw new IOException("not all spans are sent: " + spans);
        }
    }

    private void report() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Kind kind : List.of(Kind.INSIGHT, Kind.TRACED)) {
            lines.add(speed("dump into empty tables, TCP to durable current state and history", kind, Measured::dump));
            lines.add(speed("changes as fast as they are stored", kind, Measured::changes));
            lines.add(cpu("dump into empty tables, CPU of the station's JVM", kind, Measured::dump));
            lines.add(cpu("changes, CPU of the station's JVM", kind, Measured::changes));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (Kind kind : Kind.values()) {
                rows.add(row(kind.text + ", round " + (round + 1), of(kind).get(round)));
            }
        }
        publish(
                "%,d routes, %,d VRPs, %,d prefixes with rules, %s of the batches traced"
                        .formatted(routes, vrps, prefixes, ratio),
                lines,
                rows);
    }

    private Line speed(String measure, Kind kind, Function<Measured, Phase> phase) {
        return Line.higher(
                measure + ", " + kind.text,
                Kind.PLAIN.text,
                "events/s",
                ratios(kind, of -> 1 / phase.apply(of).rowSeconds()),
                kind.mustShare,
                null,
                CHECKED);
    }

    private Line cpu(String measure, Kind kind, Function<Measured, Phase> phase) {
        return Line.lower(
                measure + ", " + kind.text,
                Kind.PLAIN.text,
                "s",
                ratios(kind, of -> phase.apply(of).cpu().station()),
                CHECKED);
    }

    private double[] ratios(Kind kind, ToDoubleFunction<Measured> value) {
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            ratios[round] = value.applyAsDouble(of(kind).get(round))
                    / value.applyAsDouble(of(Kind.PLAIN).get(round));
        }
        return ratios;
    }

    private List<Measured> of(Kind kind) {
        return Objects.requireNonNull(measured.get(kind));
    }

    private static Map<String, Object> row(String name, Measured measured) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("station", name);
        row.put("dump, routes/s durable", rate(measured.dump()));
        row.put("dump, CPU s of station, Kafka, PostgreSQL", cpu(measured.dump()));
        row.put("changes, events/s durable", rate(measured.changes()));
        row.put("changes, CPU s of station, Kafka, PostgreSQL", cpu(measured.changes()));
        return row;
    }

    private static long rate(Phase phase) {
        return Math.round(phase.events() / phase.rowSeconds());
    }

    private static String cpu(Phase phase) {
        return String.format(
                Locale.ROOT,
                "%.1f, %.1f, %.1f",
                phase.cpu().station(),
                phase.cpu().kafka(),
                phase.cpu().postgres());
    }
}
