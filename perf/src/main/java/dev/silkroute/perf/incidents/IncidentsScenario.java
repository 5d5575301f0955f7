package dev.silkroute.perf.incidents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Are all incidents found, and nothing else, how soon, and do the events that the alerts name prove them? */
@Command(
        name = "incidents",
        description =
                "Labelled incidents among benign updates: which of them a station finds, what else it reports, and"
                        + " how long an alert takes from the socket.")
public final class IncidentsScenario extends Scenario {
    private static final double MUST_PRECISION = 0.99;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--incidents-per-kind", defaultValue = "20", description = "of each kind (${DEFAULT-VALUE})")
    private int perKind;

    @Option(names = "--updates", defaultValue = "10000000", description = "that are benign (${DEFAULT-VALUE})")
    private long updates;

    @Option(names = "--rate", defaultValue = "10000", description = "of them per second (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--prefixes",
            defaultValue = "50000",
            description = "of each of the six vantage points that the list does not have (${DEFAULT-VALUE})")
    private int prefixes;

    @Option(names = "--seed", defaultValue = "1", description = "of incidents and updates (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--limit", defaultValue = "600", description = "seconds until all are stored (${DEFAULT-VALUE})")
    private long limit;

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        IncidentPlan plan = IncidentPlan.of(seed, perKind);
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), Network.rules(plan.incidents()));
        Path vrps = Files.writeString(folder.resolve("vrps.json"), Network.vrps(List.of()));
        Map<String, String> settings = Map.of(
                "SILKROUTE_ROUTES_ALERTS_ENABLED",
                "true",
                "SILKROUTE_ALERTS_RULES",
                rules.toString(),
                "SILKROUTE_ALERTS_MIN_VANTAGE_POINTS",
                Integer.toString(Network.MIN_VANTAGE_POINTS),
                "SILKROUTE_ALERTS_MIN_VISIBILITY_LOSS",
                Integer.toString(Network.MIN_VISIBILITY_LOSS),
                "SILKROUTE_RPKI_VRPS",
                vrps.toString(),
                "SILKROUTE_RPKI_RELOAD_INTERVAL",
                "1s");
        try (RunningStation station = RunningStation.start(folder.resolve("data"), settings);
                AlertLog log = new AlertLog(station.bootstrap());
                Traffic traffic = new Traffic(station.bmpPort(), plan, vrps, prefixes, seed);
                Connection database = DriverManager.getConnection(station.jdbcUrl())) {
            traffic.tables();
            await("tables", () -> isStored(station));
            int before = log.changes().size();
            traffic.run(updates, rate);
            await("updates", () -> isStored(station));
            await(
                    "ends of the alerts",
                    () -> plan.thatRaise().stream()
                            .allMatch(incident ->
                                    log.changes().stream().anyMatch(change -> change.is("closed", incident))));
            log.stop();
            return report(plan, traffic, log.changes(), before, database);
        }
    }

    /** Waits for a condition; what is missing after the limit is part of the result. */
    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limit);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                System.err.printf("The limit was reached before all %s were there.%n", what);
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Returns whether the lanes have read all topics to their ends. */
    private static boolean isStored(RunningStation station) {
        try {
            long records = 0;
            long lag = 0;
            for (JsonNode topic : JSON.readTree(station.get("/api/v1/status")).path("topics")) {
                records += topic.path("records").asLong();
                lag += topic.path("lag").asLong();
            }
            return records > 0 && lag == 0;
        } catch (IOException e) {
            throw new IllegalStateException("the station does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private int report(
            IncidentPlan plan, Traffic traffic, List<AlertLog.Change> changes, int before, Connection database)
            throws IOException, SQLException {
        List<Incident> expected = plan.thatRaise();
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Double> latencies = new ArrayList<>();
        int found = 0;
        int derived = 0;
        try (Evidence evidence = new Evidence(database)) {
            for (IncidentKind kind : IncidentKind.values()) {
                List<Double> ofKind = new ArrayList<>();
                int made = 0;
                int opened = 0;
                int closed = 0;
                int proved = 0;
                for (Incident incident :
                        expected.stream().filter(of -> of.kind() == kind).toList()) {
                    made++;
                    Optional<AlertLog.Change> alert = first(changes, "opened", incident);
                    closed += first(changes, "closed", incident).isPresent() ? 1 : 0;
                    if (alert.isPresent()) {
                        opened++;
                        proved += evidence.derives(alert.get().alert(), incident) ? 1 : 0;
                        Long sent = traffic.sentNanos().get(incident);
                        if (sent != null) {
                            ofKind.add((alert.get().arrivedNanos() - sent) / 1e9);
                        }
                    }
                }
                found += opened;
                derived += proved;
                latencies.addAll(ofKind);
                rows.add(row(kind, made, opened, closed, proved, ofKind));
            }
        }
        List<AlertLog.Change> others = changes.stream()
                .filter(change -> change.alert().path("event").asText().equals("opened"))
                .filter(change -> expected.stream().noneMatch(incident -> change.is("opened", incident)))
                .toList();
        others.forEach(change -> System.err.printf("Not an incident: %s%n", change.alert()));
        long opened = changes.stream()
                .filter(change -> change.alert().path("event").asText().equals("opened"))
                .count();
        double p99 = quantile(latencies, 0.99);
        String checked =
                "%,d benign updates at %,.0f/s of %d vantage points, and %d near misses; alerts before the first"
                                .formatted(
                                        updates,
                                        updates / traffic.seconds(),
                                        Network.FEEDS,
                                        plan.incidents().size() - expected.size())
                        + " incident: " + before;
        List<Line> lines = List.of(
                share("incidents with an alert", "all incidents", found, expected.size(), 1.0, checked),
                share("alerts on incidents", "all alerts", opened - others.size(), opened, MUST_PRECISION, checked),
                share("alerts that their evidence alone proves", "all found", derived, found, 1.0, checked),
                Line.lower("socket to alert, p99", "a second", "s", new double[] {p99}, 1.0, 0.2, checked));
        publish(lines, rows);
        return found == expected.size() && derived == found && others.isEmpty() ? 0 : 1;
    }

    private static Line share(String measure, String of, double part, double all, double must, String checked) {
        return Line.higher(measure, of, "share", new double[] {all == 0 ? 0 : part / all}, must, 1.0, checked);
    }

    private static Optional<AlertLog.Change> first(List<AlertLog.Change> changes, String event, Incident incident) {
        return changes.stream().filter(change -> change.is(event, incident)).findFirst();
    }

    private static Map<String, Object> row(
            IncidentKind kind, int made, int opened, int closed, int proved, List<Double> latencies) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("rule", kind.rule());
        row.put("incidents", made);
        row.put("opened", opened);
        row.put("closed", closed);
        row.put("proved", proved);
        Stream.of(0.5, 0.99, 1.0)
                .forEach(quantile -> row.put(
                        "ms, p%.0f".formatted(100 * quantile),
                        latencies.isEmpty() ? "" : Math.round(1e3 * quantile(latencies, quantile))));
        return row;
    }

    private static double quantile(List<Double> values, double quantile) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0
                ? Double.NaN
                : sorted[Math.min(sorted.length - 1, (int) Math.floor(quantile * sorted.length))];
    }
}
