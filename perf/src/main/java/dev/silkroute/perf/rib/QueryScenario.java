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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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

    /** One question at one size, and what it took in each round. */
    private final class Asked {
        final Question question;
        final QueryTable table;
        final OwnQuestions questions;
        final PreparedStatement statement;
        final Asking prepared;
        final double[] alone = new double[rounds];
        final double[] kept = new double[rounds];
        final double[] together = new double[rounds];
        final double[] scanned = new double[rounds];
        final double[] sql = new double[rounds];

        Asked(Question question, QueryTable table, OwnQuestions questions, PreparedStatement statement)
                throws SQLException {
            this.question = question;
            this.table = table;
            this.questions = questions;
            this.statement = statement;
            prepared = questions.prepared(question);
            List<String> expected = QueryDatabase.ask(statement);
            check(question, expected, questions.answer(question));
            check(question, expected, questions.scan(question));
        }

        void measure(int round) throws Exception {
            double[] nanos = {
                Together.loop(() -> questions.ask(question), seconds, true),
                Together.loop(prepared, seconds, true),
                Together.nanos(threads, seconds, () -> questions.ask(question)),
                Together.loop(() -> questions.scan(question).size(), seconds, true),
                Together.loop(() -> QueryDatabase.ask(statement).size(), seconds, false)
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
        List<Asked> all = new ArrayList<>();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        String settings;
        try (Server server = new Server(HOME.resolve("target/rib-query"))) {
            settings = server.settings();
            for (int size : sizes) {
                QueryTable table = new QueryTable(size, attributes);
                QueryDatabase database = new QueryDatabase(server, table);
                open.push(database);
                OwnQuestions questions = new OwnQuestions(table);
                open.push(questions);
                for (Question question : Question.values()) {
                    PreparedStatement statement = database.prepare(question, table.originAs());
                    all.add(new Asked(question, table, questions, statement));
                }
            }
            for (int round = -warmUp; round < rounds; round++) {
                System.err.println("round " + round);
                for (Asked asked : all) {
                    asked.measure(round);
                }
            }
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
        all.forEach(this::tell);
        flatness(all);
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

    private void tell(Asked asked) {
        Question question = asked.question;
        QueryTable table = asked.table;
        String rows = String.format(Locale.ROOT, ", %,d routes", table.size());
        if (question.counter) {
            lines.add(Line.lower(
                    question.text + rows + ", predicate kept", "a nanosecond", "ns", asked.kept, 180.0, 50.0, CHECKED));
            lines.add(Line.lower(question.text + rows, "a nanosecond", "ns", asked.alone, null, null, CHECKED));
        }
        boolean held =
                question.counter && table.size() == Arrays.stream(sizes).max().orElse(0);
        lines.add(Line.higher(
                question.text + rows,
                "PostgreSQL",
                "1/ns",
                ratios(asked.sql, asked.kept),
                held ? 3000.0 : null,
                held ? 5000.0 : null,
                CHECKED));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("question", question.text);
        row.put("routes", table.size());
        row.put("ns, predicate and all made anew", text(asked.alone));
        row.put("ns, predicate kept", text(asked.kept));
        row.put("ns, " + threads + " threads together", text(asked.together));
        row.put("ns, every route looked at", text(asked.scanned));
        row.put("ns, PostgreSQL", text(asked.sql));
        row.put("answered by", asked.questions.explain(question));
        information.add(row);
    }

    private static final String CHECKED = "the answers of the streams, of a loop over all routes and of PostgreSQL";

    private static void check(Question question, List<String> expected, List<String> actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(question + ": " + actual + " instead of " + expected);
        }
    }

    /** An indexed count has to take the same time however many routes there are. */
    private void flatness(List<Asked> all) {
        int questions = Question.values().length;
        for (int i = 0; i < questions; i++) {
            Asked first = all.get(i);
            Asked last = all.get(all.size() - questions + i);
            if (first.question.counter) {
                lines.add(Line.lower(
                        String.format(Locale.ROOT, "%s, %,d routes", first.question.text, last.table.size()),
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

    /** Something to be asked again and again. */
    @FunctionalInterface
    interface Asking {
        long ask() throws SQLException;
    }
}
