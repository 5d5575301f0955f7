package dev.silkroute.perf.rib;

import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs queries on the RIB as streams, on one thread and on several, and the same queries on PostgreSQL. */
@Command(
        name = "rib-query",
        description =
                "Typed streams over the RIB at a thousand to a million routes, against the same queries in PostgreSQL.")
public final class QueryScenario extends Scenario {
    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "2", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--seconds", defaultValue = "0.3", description = "For a query in a round: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "1000,100000,1000000",
            description = "Numbers of routes: ${DEFAULT-VALUE}.")
    private int[] sizes = {};

    @Option(names = "--threads", defaultValue = "2", description = "Where several ask: ${DEFAULT-VALUE}.")
    private int threads;

    private final List<Line> lines = new ArrayList<>();
    private final List<Map<String, Object>> information = new ArrayList<>();

    /** One query at one size, and its times in each round. */
    private final class Measured {
        final RibQuery query;
        final QueryTable table;
        final OwnQueries queries;
        final PreparedStatement statement;
        final Run prepared;
        final double[] alone = new double[rounds];
        final double[] kept = new double[rounds];
        final double[] together = new double[rounds];
        final double[] scanned = new double[rounds];
        final double[] sql = new double[rounds];

        Measured(RibQuery query, QueryTable table, OwnQueries queries, PreparedStatement statement)
                throws SQLException {
            this.query = query;
            this.table = table;
            this.queries = queries;
            this.statement = statement;
            prepared = queries.prepared(query);
            List<String> expected = QueryDatabase.run(statement);
            check(query, expected, queries.answer(query));
            check(query, expected, queries.scan(query));
        }

        void measure(int round) throws Exception {
            double[] nanos = {
                RepeatedRuns.loop(() -> queries.run(query), seconds, true),
                RepeatedRuns.loop(prepared, seconds, true),
                RepeatedRuns.nanos(threads, seconds, () -> queries.run(query)),
                RepeatedRuns.loop(() -> queries.scan(query).size(), seconds, true),
                RepeatedRuns.loop(() -> QueryDatabase.run(statement).size(), seconds, false)
            };
            if (round >= 0) {
                alone[round] = nanos[0];
                kept[round] = nanos[1];
                together[round] = nanos[2];
                scanned[round] = nanos[3];
                sql[round] = nanos[4];
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        AttributeDraw attributes = new AttributeDraw();
        List<Measured> all = new ArrayList<>();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        String settings;
        try (Server server = new Server(folder())) {
            settings = server.settings();
            for (int size : sizes) {
                QueryTable table = new QueryTable(size, attributes);
                QueryDatabase database = new QueryDatabase(server, table);
                open.push(database);
                OwnQueries queries = new OwnQueries(table);
                open.push(queries);
                for (RibQuery query : RibQuery.values()) {
                    PreparedStatement statement = database.prepare(query, table);
                    all.add(new Measured(query, table, queries, statement));
                }
            }
            for (int round = -warmUp; round < rounds; round++) {
                System.err.println("round " + round);
                for (Measured measured : all) {
                    measured.measure(round);
                }
            }
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
        all.forEach(this::print);
        flatness(all);
        publish(settings, lines, information);
        return 0;
    }

    private void print(Measured measured) {
        RibQuery query = measured.query;
        QueryTable table = measured.table;
        String rows = String.format(Locale.ROOT, ", %,d routes", table.size());
        if (query.counter) {
            lines.add(Line.lower(
                    query.text + rows + ", predicate kept", "a nanosecond", "ns", measured.kept, 180.0, 50.0, CHECKED));
            lines.add(Line.lower(query.text + rows, "a nanosecond", "ns", measured.alone, null, null, CHECKED));
        }
        boolean largest = table.size() == Arrays.stream(sizes).max().orElse(0);
        boolean counted = query.counter && largest;
        boolean indexed = query.byAttributes() && largest;
        lines.add(Line.higher(
                query.text + rows,
                "PostgreSQL",
                "1/ns",
                ratios(measured.sql, measured.kept),
                counted ? Double.valueOf(3000) : indexed ? Double.valueOf(1) : null,
                counted ? Double.valueOf(5000) : indexed ? Double.valueOf(10) : null,
                CHECKED));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("query", query.text);
        row.put("routes", table.size());
        row.put("ns, nothing reused", text(measured.alone));
        row.put("ns, predicate reused", text(measured.kept));
        row.put("ns, " + threads + " threads together", text(measured.together));
        row.put("ns, full scan", text(measured.scanned));
        row.put("ns, PostgreSQL", text(measured.sql));
        row.put("answered by", measured.queries.explain(query));
        information.add(row);
    }

    private static final String CHECKED = "the answers of the streams, of a loop over all routes and of PostgreSQL";

    private static void check(RibQuery query, List<String> expected, List<String> actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(query + ": " + actual + " instead of " + expected);
        }
    }

    /** Checks that a counted query takes the same time for any number of routes. */
    private void flatness(List<Measured> all) {
        int queries = RibQuery.values().length;
        for (int i = 0; i < queries; i++) {
            Measured first = all.get(i);
            Measured last = all.get(all.size() - queries + i);
            if (first.query.counter) {
                lines.add(Line.lower(
                        String.format(Locale.ROOT, "%s, %,d routes", first.query.text, last.table.size()),
                        String.format(Locale.ROOT, "%,d routes", first.table.size()),
                        "ns",
                        ratios(last.kept, first.kept),
                        CHECKED));
            }
        }
    }

    private static double[] ratios(double[] above, double[] below) {
        double[] ratios = new double[above.length];
        Arrays.setAll(ratios, i -> above[i] / below[i]);
        return ratios;
    }

    private static String text(double[] nanos) {
        double median = Line.median(nanos);
        return String.format(Locale.ROOT, median < 100 ? "%.1f" : "%.0f", median);
    }

    /** A query to be run repeatedly. */
    @FunctionalInterface
    interface Run {
        long run() throws SQLException;
    }
}
