package dev.silkroute.perf.past;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import dev.silkroute.postgres.maintenance.Maintenance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A peer's whole table at a time, the difference of two times, one prefix: how long, by which plan, and is it right.
 */
@Command(
        name = "rib-at",
        description =
                "What rib_at, rib_diff and route_timeline cost after many events, against reading the events once.")
public final class RibAtScenario extends Scenario {
    private static final Duration HOURS = Duration.ofHours(44);
    private static final double MUST_MILLIS = 50;
    private static final int WARM_UP_STEP = 5;
    private static final String UNINDEXED = "no index, no snapshot";
    private static final String MAINTAINED = "after maintenance";

    @Option(names = "--routes", defaultValue = "1000000", description = "of the peer (${DEFAULT-VALUE})")
    private int routes;

    @Option(names = "--events", defaultValue = "10000000", description = "after its table (${DEFAULT-VALUE})")
    private int events;

    @Option(names = "--rounds", defaultValue = "3", description = "how often each is asked (${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--instants",
            defaultValue = "1000",
            description = "random times, and as many of the open day, at which one prefix is asked (${DEFAULT-VALUE})")
    private int instants;

    @Option(names = "--work-mem", defaultValue = "16MB", description = "the station's own is ${DEFAULT-VALUE}")
    private String workMem = "";

    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(HOURS);
    private final Instant end = start.plus(HOURS);
    private final Instant firstEvent = start.plus(Duration.ofMinutes(10));
    private final List<Map<String, Object>> table = new ArrayList<>();
    private final StringBuilder plans = new StringBuilder();
    private final List<Sample> samples = new ArrayList<>();
    private final ObjectMapper json = new ObjectMapper();
    private final SplittableRandom random = new SplittableRandom(7);

    /**
     * A route at a random time.
     *
     * @param set what the generator had then
     * @param period the times among which this one was chosen
     */
    private record Sample(Instant at, int route, int set, Period period) {}

    /** A time for a sample. */
    private record Moment(Instant at, Period period) {}

    private enum Period {
        ALL("any time"),
        OPEN_DAY("times of the open day");

        final String text;

        Period(String text) {
            this.text = text;
        }
    }

    @Override
    public Integer call() throws Exception {
        try (PastDatabase database = new PastDatabase(folder().resolve("data"))) {
            Instant early = start.plus(Duration.ofHours(33));
            Instant late = early.plus(Duration.ofHours(1));
            // The last events are those that the open day has without index at most.
            int last = Math.min(events / 10, PastDatabase.INDEX_AFTER - 1);
            Instant beforeLast = time(events - last - 1).minusSeconds(1);
            PastTable past = new PastTable(routes);
            database.prepare(start, end);
            database.dump(past, routes, start);
            Queue<Moment> moments = moments();
            List<int[]> states = load(database, past, moments, 0, events - last, List.of(early, late, beforeLast));
            database.execute("SET work_mem = '" + workMem + "'");
            database.execute("ANALYZE bmp.route_event, bmp.attribute_set");

            double[] reading =
                    measure(database, "all events, read once", "SELECT count(attribute_hash) FROM bmp.route_event");
            double[] open = whole(database, UNINDEXED, beforeLast, states.get(2));
            whole(database, UNINDEXED, early, states.get(0));
            diff(database, UNINDEXED, early, late, states.get(0), states.get(1));
            prefix(database, UNINDEXED, early);

            maintain(database);
            load(database, past, moments, events - last, events, List.of());
            double[] based = whole(database, MAINTAINED, beforeLast, states.get(2));
            whole(database, MAINTAINED, early, states.get(0));
            diff(database, MAINTAINED, early, late, states.get(0), states.get(1));
            prefix(database, MAINTAINED, early);
            prefix(database, MAINTAINED, end);

            String checked =
                    "each route of rib_at and of both sides of rib_diff, and each answer at a random time, against the"
                            + " generator's table at that time";
            List<Line> lines = new ArrayList<>();
            for (Period period : Period.values()) {
                requests(database.station(), period, checked, lines);
            }
            lines.add(Line.lower(
                    "rib_at, whole table after all events",
                    "reading all events once",
                    "seconds",
                    ratios(open, reading),
                    checked));
            lines.add(Line.lower(
                    "rib_at, whole table, after maintenance",
                    "reading all events once",
                    "seconds",
                    ratios(based, reading),
                    checked));
            report(lines);
        }
        return 0;
    }

    /** The time of an event. */
    private Instant time(int event) {
        long nanos = Duration.between(firstEvent, end).toNanos() / events;
        return firstEvent.plusNanos(nanos * event).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The random times of both periods, in their order. */
    private Queue<Moment> moments() {
        Instant midnight = end.truncatedTo(ChronoUnit.DAYS);
        List<Moment> moments = new ArrayList<>();
        for (Period period : Period.values()) {
            Instant from = period == Period.ALL ? firstEvent : midnight;
            long seconds = Math.max(1, Duration.between(from, end).toSeconds());
            for (int i = 0; i < instants; i++) {
                moments.add(new Moment(from.plusSeconds(random.nextLong(seconds)), period));
            }
        }
        moments.sort(Comparator.comparing(Moment::at));
        return new ArrayDeque<>(moments);
    }

    /** Stores events, and returns the table at each of some times; also takes the samples of the times meanwhile. */
    private List<int[]> load(
            PastDatabase database, PastTable past, Queue<Moment> moments, int from, int to, List<Instant> times)
            throws SQLException {
        List<int[]> states = new ArrayList<>();
        try (PastDatabase.Rows rows = database.new Rows(routes + from)) {
            for (int i = from; i < to; i++) {
                Instant at = time(i);
                while (!moments.isEmpty() && at.isAfter(moments.peek().at)) {
                    sample(past, moments.poll());
                }
                while (states.size() < times.size() && at.isAfter(times.get(states.size()))) {
                    states.add(past.state());
                }
                int route = past.next();
                rows.add(at, route, past.set(route));
            }
        }
        while (to == events && !moments.isEmpty()) {
            sample(past, moments.poll());
        }
        return states;
    }

    private void sample(PastTable past, Moment moment) {
        // Half of the events are about one route in a hundred, and half of the queries too.
        int route = random.nextInt(random.nextBoolean() ? Math.max(1, routes / 100) : routes);
        samples.add(new Sample(moment.at, route, past.set(route), moment.period));
    }

    /** Executes the maintenance of the tables, and takes the snapshot of the first midnight. */
    private void maintain(PastDatabase database) throws SQLException {
        Map<String, List<Double>> steps = new TreeMap<>();
        database.maintain(new Maintenance.Listener() {
            @Override
            public void done(String step, long nanos) {
                steps.computeIfAbsent(step, _ -> new ArrayList<>()).add(nanos / 1e9);
            }

            @Override
            public void failed(String step, SQLException reason) {
                throw new IllegalStateException("maintenance failed in step " + step, reason);
            }
        });
        steps.forEach((step, seconds) -> row(
                "maintenance: " + seconds.size() + " × " + step,
                seconds.stream().mapToDouble(Double::doubleValue).toArray()));
        if (database.value("SELECT count(*) FROM bmp.snapshot").equals("0")) {
            Instant midnight = start.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
            measure(database, 1, "maintenance: snapshot", "SELECT bmp.take_snapshot('" + midnight + "')");
        }
        database.execute("ANALYZE bmp.route_snapshot");
    }

    private double[] whole(PastDatabase database, String shape, Instant at, int[] expected) throws SQLException {
        String query = "FROM bmp.rib_at('" + at + "', 'edge-1', '198.51.100.1', 'adj-rib-in-pre')";
        check(database.state("SELECT prefix, med " + query, routes), expected, "rib_at " + at);
        plan(database, shape, "SELECT count(as_path) " + query);
        String hours = Duration.between(start, at).toHours() + " h";
        measure(database, "rib_at after " + hours + ", keys only; " + shape, "SELECT count(*) " + query);
        return measure(
                database,
                "rib_at after " + hours + ", with attributes; " + shape,
                "SELECT count(as_path), sum(med) " + query);
    }

    private void diff(PastDatabase database, String shape, Instant from, Instant to, int[] before, int[] after)
            throws SQLException {
        String query = "FROM bmp.rib_diff('" + from + "', '" + to + "', 'edge-1')";
        int[] applied = before.clone();
        int[] changes = database.state("SELECT prefix, coalesce(new_med, -2) " + query, routes);
        for (int i = 0; i < routes; i++) {
            applied[i] = changes[i] == PastTable.WITHDRAWN
                    ? applied[i]
                    : changes[i] == -2 ? PastTable.WITHDRAWN : changes[i];
        }
        check(applied, after, "rib_diff, new side");
        int[] old = database.state("SELECT prefix, coalesce(old_med, -2) " + query, routes);
        for (int i = 0; i < routes; i++) {
            applied[i] = old[i] == PastTable.WITHDRAWN ? applied[i] : old[i] == -2 ? PastTable.WITHDRAWN : old[i];
        }
        check(applied, before, "rib_diff, old side");
        plan(database, shape, "SELECT change, count(*) " + query + " GROUP BY 1");
        measure(
                database,
                "rib_diff over an hour, " + database.value("SELECT count(*) " + query) + " routes differ; " + shape,
                "SELECT change, count(*) " + query + " GROUP BY 1");
    }

    private void prefix(PastDatabase database, String shape, Instant at) throws SQLException {
        String prefix = "'" + PastTable.prefix(5) + "'";
        String query = "SELECT as_path FROM bmp.rib_at('" + at + "') WHERE prefix = " + prefix;
        plan(database, shape, query);
        measure(database, "rib_at, one prefix; " + shape, query);
        measure(database, "route_timeline; " + shape, "SELECT count(*) FROM bmp.route_timeline(" + prefix + ")");
    }

    /** Requests one prefix, and the longest match of one address, at each of the random times of a period. */
    private void requests(RunningStation station, Period period, String checked, List<Line> lines) throws Exception {
        List<Sample> chosen =
                samples.stream().filter(sample -> sample.period == period).toList();
        double[] exact = new double[chosen.size()];
        double[] lookup = new double[chosen.size()];
        for (int step : new int[] {WARM_UP_STEP, 1}) { // a part of them first, so that the station's code is compiled
            for (int i = 0; i < exact.length; i += step) {
                Sample sample = chosen.get(i);
                String prefix = PastTable.prefix(sample.route);
                exact[i] = millis(station, "/api/v1/routes?match=exact&prefix=" + prefix, sample);
                lookup[i] = millis(station, "/api/v1/lookup?address=" + prefix.replace("0/24", "7"), sample);
            }
        }
        latency("exact at=", period, exact, checked, lines);
        latency("lookup at=", period, lookup, checked, lines);
    }

    private void latency(String name, Period period, double[] millis, String checked, List<Line> lines) {
        Arrays.sort(millis);
        String measure = name + ", " + millis.length + " " + period.text;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("query", measure + ", over HTTP: percentiles 50, 1 and 99");
        row.put("seconds", percentile(millis, 50));
        row.put("min", percentile(millis, 1));
        row.put("max", percentile(millis, 99));
        table.add(row);
        System.out.printf(Locale.ROOT, "%8s s  %s%n", row.get("max"), measure + ", p99");
        double p99 = millis[Math.min(millis.length - 1, millis.length * 99 / 100)];
        lines.add(Line.lower(measure + ", p99", "a millisecond", "ms", new double[] {p99}, MUST_MILLIS, checked));
    }

    private double millis(RunningStation station, String path, Sample sample) throws Exception {
        long begin = System.nanoTime();
        String body = station.get(path + "&at=" + sample.at);
        double millis = (System.nanoTime() - begin) / 1e6;
        JsonNode answer = json.readTree(body);
        List<Integer> found = new ArrayList<>();
        (answer.isArray() ? answer : answer.path("data"))
                .forEach(route -> found.add(route.path("med").asInt(PastTable.WITHDRAWN)));
        List<Integer> expected = sample.set == PastTable.WITHDRAWN ? List.of() : List.of(sample.set);
        if (!found.equals(expected)) {
            throw new IllegalStateException(
                    path + "&at=" + sample.at + " has MED " + found + " instead of " + expected + ": " + body);
        }
        return millis;
    }

    private static String percentile(double[] sortedMillis, int percent) {
        double millis = sortedMillis[Math.min(sortedMillis.length - 1, sortedMillis.length * percent / 100)];
        return String.format(Locale.ROOT, "%.4f", millis / 1000);
    }

    private static void check(int[] actual, int[] expected, String what) {
        int at = Arrays.mismatch(actual, expected);
        if (at >= 0) {
            throw new IllegalStateException(
                    what + " is wrong at " + PastTable.prefix(at) + ": " + actual[at] + " instead of " + expected[at]);
        }
    }

    private double[] measure(PastDatabase database, String name, String sql) throws SQLException {
        return measure(database, rounds, name, sql);
    }

    private double[] measure(PastDatabase database, int times, String name, String sql) throws SQLException {
        double[] seconds = new double[times];
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            database.execute(sql);
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        row(name, seconds);
        return seconds;
    }

    private void row(String name, double[] seconds) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("query", name);
        row.put("seconds", String.format(Locale.ROOT, "%.3f", Line.median(seconds)));
        row.put(
                "min",
                String.format(Locale.ROOT, "%.3f", Arrays.stream(seconds).min().orElse(0)));
        row.put(
                "max",
                String.format(Locale.ROOT, "%.3f", Arrays.stream(seconds).max().orElse(0)));
        table.add(row);
        System.out.printf(Locale.ROOT, "%8.3f s  %s%n", Line.median(seconds), name);
    }

    private void plan(PastDatabase database, String shape, String sql) throws SQLException {
        plans.append("\n").append(shape).append(":\n\n```\n").append(sql).append("\n\n");
        database.column("EXPLAIN (COSTS OFF, ANALYZE, TIMING OFF, BUFFERS OFF, SUMMARY OFF) " + sql)
                .forEach(line -> plans.append(line).append('\n'));
        plans.append("```\n");
    }

    private static double[] ratios(double[] measured, double[] baseline) {
        double[] ratios = new double[measured.length];
        Arrays.setAll(ratios, i -> measured[i] / baseline[i]);
        return ratios;
    }

    private void report(List<Line> lines) throws Exception {
        publish("work_mem " + workMem + ", load average " + load(), lines, table);
        Files.writeString(RESULTS.resolve("rib-at.md"), "\n## Plans\n" + plans, StandardOpenOption.APPEND);
    }

    private static String load() throws Exception {
        return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }
}
