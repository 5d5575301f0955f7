package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Stations with VRPs and alert rules, and stations without, in turns: how much the evaluation of each event costs the
 * path from the socket to durable rows. All processes share the machine, so a lane that only runs beside this path
 * costs it as well.
 */
@Command(
        name = "insight",
        description =
                "Routes and changes per second of the whole station with VRPs and alert rules, compared with a station"
                        + " without.")
public final class InsightScenario extends Scenario {
    private static final double MUST_SHARE = 0.85;
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

    @Option(names = "--rounds", defaultValue = "3", description = "Stations of each kind: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that a phase may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    /** The work of a station in one round. */
    private record Measured(Phase dump, Phase changes) {}

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        Map<String, String> insight = settings(folder);
        List<Measured> without = new ArrayList<>();
        List<Measured> with = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            boolean plainFirst = round % 2 == 0;
            if (plainFirst) {
                without.add(measure(folder, LAG_INTERVAL));
            }
            with.add(measure(folder, insight));
            if (!plainFirst) {
                without.add(measure(folder, LAG_INTERVAL));
            }
        }
        Folders.delete(folder);
        report(without, with);
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
        Map<String, String> settings = new LinkedHashMap<>(LAG_INTERVAL);
        settings.put("SILKROUTE_ROUTES_ALERTS_ENABLED", "true");
        settings.put("SILKROUTE_ALERTS_RULES", rules.toString());
        settings.put("SILKROUTE_RPKI_VRPS", vrpFile.toString());
        return settings;
    }

    private Measured measure(Path folder, Map<String, String> settings) throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        try (RunningStation station = RunningStation.start(data, settings)) {
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
            if (settings.size() > LAG_INTERVAL.size()) {
                checkAlerts(station);
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

    private void report(List<Measured> without, List<Measured> with) throws IOException {
        String checked =
                "the number of rows in bmp.rib_route, and of rows that both lanes report as committed; routes of all"
                        + " listed prefixes were evaluated";
        List<Line> lines = List.of(
                speed(
                        "dump into empty tables, TCP to durable current state and history",
                        without,
                        with,
                        Measured::dump,
                        checked),
                speed("changes as fast as they are stored", without, with, Measured::changes, checked),
                cpu("dump into empty tables, CPU of the station's JVM", without, with, Measured::dump, checked),
                cpu("changes, CPU of the station's JVM", without, with, Measured::changes, checked));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            rows.add(row("without, round " + (round + 1), without.get(round)));
            rows.add(row("with, round " + (round + 1), with.get(round)));
        }
        publish("%,d routes, %,d VRPs, %,d prefixes with rules".formatted(routes, vrps, prefixes), lines, rows);
    }

    private Line speed(
            String measure,
            List<Measured> without,
            List<Measured> with,
            Function<Measured, Phase> phase,
            String checked) {
        return Line.higher(
                measure + ", with VRPs and alert rules",
                "without",
                "events/s",
                ratios(without, with, of -> 1 / phase.apply(of).rowSeconds()),
                MUST_SHARE,
                null,
                checked);
    }

    private Line cpu(
            String measure,
            List<Measured> without,
            List<Measured> with,
            Function<Measured, Phase> phase,
            String checked) {
        return Line.lower(
                measure + ", with VRPs and alert rules",
                "without",
                "s",
                ratios(without, with, of -> phase.apply(of).cpu().station()),
                checked);
    }

    private double[] ratios(List<Measured> without, List<Measured> with, ToDoubleFunction<Measured> value) {
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            ratios[round] = value.applyAsDouble(with.get(round)) / value.applyAsDouble(without.get(round));
        }
        return ratios;
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
