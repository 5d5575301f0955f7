package dev.silkroute.perf.rib;

import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.perf.report.Result;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Questions to the RIB as streams, by one thread and by several, and the same ones to PostgreSQL. */
@Command(
        name = "rib-query",
        description =
                "Typed streams over the RIB at a thousand to a million routes, against the same questions in PostgreSQL.",
        mixinStandardHelpOptions = true)
public final class QueryScenario implements Callable<Integer> {
    private static final Path HOME = Path.of(System.getProperty("perf.home", "perf"));

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "2", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--seconds", defaultValue = "0.3", description = "For a question in a round: ${DEFAULT-VALUE}.")
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

    /** Nanoseconds of a question at each size. */
    private final Map<String, Map<Integer, double[]>> own = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        AttributeDraw attributes = new AttributeDraw();
        String settings;
        try (Server server = new Server(HOME.resolve("target/rib-query"))) {
            settings = server.settings();
            for (int size : sizes) {
                QueryTable table = new QueryTable(size, attributes);
                try (QueryDatabase database = new QueryDatabase(server, table);
                        OwnQuestions questions = new OwnQuestions(table)) {
                    for (Question question : Question.values()) {
                        measure(question, table, database, questions);
                    }
                }
            }
        }
        flatness();
        Result result = new Result(
                "rib-query",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Machine.describe() + "; " + settings,
                lines,
                information);
        result.write(HOME.resolve("results"));
        System.out.println(result.markdown());
        return 0;
    }

    private void measure(Question question, QueryTable table, QueryDatabase database, OwnQuestions questions)
            throws Exception {
        double[] alone = new double[rounds];
        double[] together = new double[rounds];
        double[] scanned = new double[rounds];
        double[] sql = new double[rounds];
        try (PreparedStatement statement = database.prepare(question, table.originAs())) {
            List<String> expected = QueryDatabase.ask(statement);
            check(question, expected, questions.answer(question));
            check(question, expected, questions.scan(question));
            for (int round = -warmUp; round < rounds; round++) {
                double[] nanos = {
                    asked(() -> questions.ask(question)),
                    Together.nanos(threads, seconds, () -> questions.ask(question)),
                    asked(() -> questions.scan(question).size()),
                    asked(() -> QueryDatabase.ask(statement).size())
                };
                if (round >= 0) {
                    alone[round] = nanos[0];
                    together[round] = nanos[1];
                    scanned[round] = nanos[2];
                    sql[round] = nanos[3];
                }
            }
        }
        own.computeIfAbsent(question.text, _ -> new LinkedHashMap<>()).put(table.size(), alone);
        String rows = String.format(Locale.ROOT, ", %,d routes", table.size());
        if (question.counter) {
            lines.add(Line.lower(question.text + rows, "a nanosecond", "ns", alone, 180.0, 50.0, CHECKED));
        }
        boolean held =
                question.counter && table.size() == Arrays.stream(sizes).max().orElse(0);
        lines.add(Line.higher(
                question.text + rows,
                "PostgreSQL",
                "1/ns",
                ratios(sql, alone),
                held ? 3000.0 : null,
                held ? 5000.0 : null,
                CHECKED));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("question", question.text);
        row.put("routes", table.size());
        row.put("ns, one thread", text(alone));
        row.put("ns, " + threads + " threads together", text(together));
        row.put("ns, every route looked at", text(scanned));
        row.put("ns, PostgreSQL", text(sql));
        information.add(row);
        System.err.println(row);
    }

    private static final String CHECKED = "the answers of the streams, of a loop over all routes and of PostgreSQL";

    private static void check(Question question, List<String> expected, List<String> actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(question + ": " + actual + " instead of " + expected);
        }
    }

    /** Nanoseconds for one question, asked again and again. */
    private double asked(Asking asking) throws Exception {
        return Together.loop(asking, seconds);
    }

    /** An indexed count has to take the same time however many routes there are. */
    private void flatness() {
        for (Question question : Question.values()) {
            Map<Integer, double[]> bySize = own.getOrDefault(question.text, Map.of());
            double[] first = bySize.get(sizes[0]);
            double[] last = bySize.get(sizes[sizes.length - 1]);
            if (question.counter && first != null && last != null) {
                lines.add(Line.lower(
                        question.text + ", " + sizes[sizes.length - 1] + " routes",
                        sizes[0] + " routes",
                        "ns",
                        ratios(last, first),
                        CHECKED));
            }
        }
    }

    private static double[] ratios(double[] above, double[] below) {
        double[] ratios = new double[above.length];
        Arrays.setAll(ratios, i -> above[i] / below[i]);
        return ratios;
    }

    private static String text(double @Nullable [] nanos) {
        double median = nanos == null ? 0 : Line.median(nanos);
        return String.format(Locale.ROOT, median < 100 ? "%.1f" : "%.0f", median);
    }

    /** Something to be asked again and again. */
    @FunctionalInterface
    interface Asking {
        long ask() throws SQLException;
    }
}
