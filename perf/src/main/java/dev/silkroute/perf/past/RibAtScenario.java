package dev.silkroute.perf.past;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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

    @Option(names = "--routes", defaultValue = "1000000", description = "of the peer (${DEFAULT-VALUE})")
    private int routes;

    @Option(names = "--events", defaultValue = "10000000", description = "after its table (${DEFAULT-VALUE})")
    private int events;

    @Option(names = "--rounds", defaultValue = "3", description = "how often each is asked (${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--instants",
            defaultValue = "1000",
            description = "random times at which one prefix is asked (${DEFAULT-VALUE})")
    private int instants;

    @Option(names = "--work-mem", defaultValue = "16MB", description = "the station's own is ${DEFAULT-VALUE}")
    private String workMem = "";

    private final Instant start =
            Instant.now().truncatedTo(ChronoUnit.DAYS).minus(2, ChronoUnit.DAYS).plus(1, ChronoUnit.HOURS);
    private final List<Map<String, Object>> table = new ArrayList<>();
    private final StringBuilder plans = new StringBuilder();
    private final List<Sample> samples = new ArrayList<>();

    /**
     * A route at a random time.
     *
     * @param set what the generator had then
     */
    private record Sample(Instant at, int route, int set) {}

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        try (PastDatabase database = new PastDatabase(work.resolve("data"))) {
            // 11 h on the second day; an hour before that; the end of all
            Instant early = start.plus(Duration.ofHours(33));
            Instant late = early.plus(Duration.ofHours(1));
            Instant end = start.plus(HOURS);
            List<int[]> states = load(database, List.of(early, late, end));
            database.execute("SET work_mem = '" + workMem + "'");
            database.execute("ANALYZE bmp.route_event, bmp.attribute_set");

            double[] reading =
                    measure(database, "all events, read once", "SELECT count(attribute_hash) FROM bmp.route_event");
            double[] open = whole(database, "no index, no base", end, states.get(2));
            whole(database, "no index, no base", early, states.get(0));
            diff(database, "no index, no base", early, late, states.get(0), states.get(1));
            prefix(database, "no index, no base", early);

            close(database);
            double[] based = whole(database, "days closed, a base at midnight", end, states.get(2));
            whole(database, "days closed, a base at midnight", early, states.get(0));
            diff(database, "days closed, a base at midnight", early, late, states.get(0), states.get(1));
            prefix(database, "days closed, a base at midnight", early);
            instants(database, "days closed, a base at midnight");

            String checked =
                    "each route of rib_at and of both sides of rib_diff, and each answer at a random time, against the"
                            + " generator's table at that time";
            report(
                    Line.lower(
                            "rib_at, whole table after all events",
                            "reading all events once",
                            "seconds",
                            ratios(open, reading),
                            checked),
                    Line.lower(
                            "rib_at, whole table, days closed, a base at midnight",
                            "reading all events once",
                            "seconds",
                            ratios(based, reading),
                            checked));
        }
        return 0;
    }

    private List<int[]> load(PastDatabase database, List<Instant> times) throws SQLException {
        PastTable past = new PastTable(routes);
        database.prepare(start, start.plus(HOURS));
        database.dump(past, routes, start);
        Instant first = start.plus(Duration.ofMinutes(10));
        long nanos = Duration.between(first, start.plus(HOURS)).toNanos() / events;
        List<int[]> states = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(7);
        Iterator<Instant> moments = Stream.generate(() -> first.plusSeconds(random.nextLong(
                        Duration.between(first, start.plus(HOURS)).toSeconds())))
                .limit(instants)
                .sorted()
                .toList()
                .iterator();
        Instant moment = moments.hasNext() ? moments.next() : Instant.MAX;
        try (PastDatabase.Rows rows = database.new Rows(routes)) {
            for (int i = 0; i < events; i++) {
                Instant at = first.plusNanos(nanos * i).truncatedTo(ChronoUnit.SECONDS);
                while (at.isAfter(moment)) {
                    // Half of the events are about one route in a hundred, and half of the questions too.
                    int chosen = random.nextInt(random.nextBoolean() ? Math.max(1, routes / 100) : routes);
                    samples.add(new Sample(moment, chosen, past.set(chosen)));
                    moment = moments.hasNext() ? moments.next() : Instant.MAX;
                }
                while (states.size() < times.size() && at.isAfter(times.get(states.size()))) {
                    states.add(past.state());
                }
                int route = past.next();
                rows.add(at, route, past.set(route));
            }
        }
        while (states.size() < times.size()) {
            states.add(past.state());
        }
        return states;
    }

    /** Does what maintenance does with days that are over, and takes the snapshot of the first midnight. */
    private void close(PastDatabase database) throws SQLException {
        List<String> days =
                database.column("SELECT day FROM bmp.history_partitions() WHERE bmp.day_start(day + 1) <= now()");
        for (String day : days) {
            String name = "route_event_" + day.replace("-", "");
            measure(
                    database,
                    1,
                    "maintenance: index of a day of " + database.value("SELECT count(*) FROM bmp." + name) + " events",
                    "CREATE INDEX " + name + "_prefix ON bmp." + name
                            + " (prefix, received_at) WITH (fillfactor = 100)");
            database.execute("SELECT bmp.close_day('" + day + "')");
        }
        Instant midnight = start.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
        measure(database, 1, "maintenance: snapshot", "SELECT bmp.take_snapshot('" + midnight + "')");
        database.execute("ANALYZE bmp.route_snapshot");
    }

    private double[] whole(PastDatabase database, String shape, Instant at, int[] expected) throws SQLException {
        String question = "FROM bmp.rib_at('" + at + "', 'edge-1', '198.51.100.1', 'adj-rib-in-pre')";
        check(database.state("SELECT prefix, med " + question, routes), expected, "rib_at " + at);
        plan(database, shape, "SELECT count(as_path) " + question);
        String hours = Duration.between(start, at).toHours() + " h";
        measure(database, "rib_at after " + hours + ", keys only; " + shape, "SELECT count(*) " + question);
        return measure(
                database,
                "rib_at after " + hours + ", with attributes; " + shape,
                "SELECT count(as_path), sum(med) " + question);
    }

    private void diff(PastDatabase database, String shape, Instant from, Instant to, int[] before, int[] after)
            throws SQLException {
        String question = "FROM bmp.rib_diff('" + from + "', '" + to + "', 'edge-1')";
        int[] applied = before.clone();
        int[] changes = database.state("SELECT prefix, coalesce(new_med, -2) " + question, routes);
        for (int i = 0; i < routes; i++) {
            applied[i] = changes[i] == PastTable.GONE ? applied[i] : changes[i] == -2 ? PastTable.GONE : changes[i];
        }
        check(applied, after, "rib_diff, new side");
        int[] old = database.state("SELECT prefix, coalesce(old_med, -2) " + question, routes);
        for (int i = 0; i < routes; i++) {
            applied[i] = old[i] == PastTable.GONE ? applied[i] : old[i] == -2 ? PastTable.GONE : old[i];
        }
        check(applied, before, "rib_diff, old side");
        plan(database, shape, "SELECT change, count(*) " + question + " GROUP BY 1");
        measure(
                database,
                "rib_diff over an hour, " + database.value("SELECT count(*) " + question) + " routes differ; " + shape,
                "SELECT change, count(*) " + question + " GROUP BY 1");
    }

    private void prefix(PastDatabase database, String shape, Instant at) throws SQLException {
        String prefix = "'" + PastTable.prefix(5) + "'";
        String question = "SELECT as_path FROM bmp.rib_at('" + at + "') WHERE prefix = " + prefix;
        plan(database, shape, question);
        measure(database, "rib_at, one prefix; " + shape, question);
        measure(database, "route_timeline; " + shape, "SELECT count(*) FROM bmp.route_timeline(" + prefix + ")");
    }

    /** Asks for one prefix, and for the longest match of one address, at each of the random times. */
    private void instants(PastDatabase database, String shape) throws SQLException {
        double[] exact = new double[samples.size()];
        double[] longest = new double[samples.size()];
        for (int i = 0; i < exact.length; i++) {
            Sample sample = samples.get(i);
            String prefix = PastTable.prefix(sample.route);
            String question = "SELECT med FROM bmp.rib_at('" + sample.at + "') WHERE prefix = ";
            exact[i] = seconds(database, question + "'" + prefix + "'", sample);
            longest[i] = seconds(
                    database,
                    question + "ANY (bmp.covering('" + prefix.replace("0/24", "7")
                            + "')) ORDER BY masklen(prefix) DESC LIMIT 1",
                    sample);
        }
        row("rib_at, one prefix at " + exact.length + " random times; " + shape, exact);
        row("rib_at, longest match at " + exact.length + " random times; " + shape, longest);
    }

    private static double seconds(PastDatabase database, String sql, Sample sample) throws SQLException {
        long begin = System.nanoTime();
        List<String> found = database.column(sql);
        double seconds = (System.nanoTime() - begin) / 1e9;
        List<String> expected = sample.set == PastTable.GONE ? List.of() : List.of(Integer.toString(sample.set));
        if (!found.equals(expected)) {
            throw new IllegalStateException(sql + " is " + found + " instead of " + expected);
        }
        return seconds;
    }

    /** The extremes are the 1st and the 99th percentile. */
    private void row(String name, double[] seconds) {
        Arrays.sort(seconds);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("question", name + ", percentiles 50, 1 and 99");
        row.put("seconds", percentile(seconds, 50));
        row.put("min", percentile(seconds, 1));
        row.put("max", percentile(seconds, 99));
        table.add(row);
        System.out.printf(Locale.ROOT, "%8s s  %s%n", row.get("max"), row.get("question"));
    }

    private static String percentile(double[] sorted, int percent) {
        return sorted.length == 0
                ? ""
                : String.format(
                        Locale.ROOT, "%.4f", sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)]);
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
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("question", name);
        row.put("seconds", String.format(Locale.ROOT, "%.3f", Line.median(seconds)));
        row.put(
                "min",
                String.format(Locale.ROOT, "%.3f", Arrays.stream(seconds).min().orElse(0)));
        row.put(
                "max",
                String.format(Locale.ROOT, "%.3f", Arrays.stream(seconds).max().orElse(0)));
        table.add(row);
        System.out.printf(Locale.ROOT, "%8.3f s  %s%n", Line.median(seconds), name);
        return seconds;
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

    private void report(Line... lines) throws Exception {
        publish("work_mem " + workMem + ", load average " + load(), List.of(lines), table);
        Files.writeString(RESULTS.resolve("rib-at.md"), "\n## Plans\n" + plans, StandardOpenOption.APPEND);
    }

    private static String load() throws Exception {
        return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }
}
