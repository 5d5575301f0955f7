package dev.silkroute.perf.pipeline;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Result;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Small transactions with a round-trip time of a millisecond: pipelines against pgjdbc, one statement after the other
 * and in its fastest configuration.
 */
@Command(
        name = "pipeline",
        description = "Small transactions with a round-trip time of a millisecond: pipelines against pgjdbc.")
public final class PipelineScenario extends Scenario {
    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "2", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--seconds", defaultValue = "1.5", description = "Of each turn: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(
            names = "--delay",
            defaultValue = "1000",
            description = "Microseconds in each direction: ${DEFAULT-VALUE}. Results are kept with the default only.")
    private long delay;

    private final Map<Way, List<Double>> rates = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        try (Server server = new Server(work.resolve("data"));
                Database database = server.create("pipeline");
                DelayedLink link = new DelayedLink(database.port(), Duration.of(delay, ChronoUnit.MICROS))) {
            database.execute(Sql.TABLES);
            String url = "jdbc:postgresql://127.0.0.1:" + link.port() + "/pipeline?user=silkroute";
            try (JdbcContenders jdbc = new JdbcContenders(url);
                    PipelineContenders pipelines = new PipelineContenders(url)) {
                List<Way> ways = new ArrayList<>(pipelines.ways());
                ways.addAll(jdbc.ways());
                measure(database, ways);
            }
            Result result = print(server.settings() + "; " + delay + " µs in each direction", lines(), information());
            if (delay == 1_000) {
                store(result);
            }
        }
        return 0;
    }

    /** Runs turns in rounds that begin with another way each time. After each turn its rows are checked and deleted. */
    private void measure(Database database, List<Way> ways) throws Exception {
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < ways.size(); i++) {
                Way way = ways.get(Math.floorMod(round + i, ways.size()));
                double rate = turn(database, way);
                System.err.printf("round %d, %-12s %-45s %8.1f/s%n", round, way.task(), way.name(), rate);
                if (round >= 0) {
                    rates.computeIfAbsent(way, _ -> new ArrayList<>()).add(rate);
                }
            }
        }
    }

    private double turn(Database database, Way way) throws Exception {
        database.execute("TRUNCATE line, note; UPDATE counter SET n = 0");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Turn turn = threads.submit(() -> run(way)).get();
            check(database, way, turn.operations);
            return 1 / turn.median;
        } catch (ExecutionException e) {
            throw new IllegalStateException(way.task() + ", " + way.name(), e.getCause());
        }
    }

    /**
     * The number of operations, and the duration of the median one, which a short stall of the machine hardly changes.
     */
    private record Turn(long operations, double median) {}

    private Turn run(Way way) throws Exception {
        long operations = 0;
        List<Double> durations = new ArrayList<>();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long began = System.nanoTime();
        while (began < end) {
            long found = way.operation().run(operations);
            if (found != way.task().expected(operations)) {
                throw new IllegalStateException("operation " + operations + " found " + found + " instead of "
                        + way.task().expected(operations));
            }
            operations++;
            long now = System.nanoTime();
            durations.add((now - began) / 1e9);
            began = now;
        }
        return new Turn(operations, Line.median(durations));
    }

    private static void check(Database database, Way way, long operations) throws Exception {
        long rows =
                way.task() == Task.MIXED ? operations : operations * way.task().rows();
        String expected = rows + " " + 3 * rows * (rows - 1) / 2 + " " + rows + " "
                + (way.task() == Task.MIXED ? rows : 0) + " " + (way.task() == Task.MIXED ? rows : 0);
        String found =
                database.row("SELECT count(*), coalesce(sum(value), 0), count(*) FILTER (WHERE word = 'word ' || id),"
                        + " (SELECT count(*) FROM note), (SELECT n FROM counter) FROM line");
        if (!found.equals(expected)) {
            throw new IllegalStateException(way.name() + " left " + found + " and not " + expected);
        }
    }

    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        ratio(lines, Task.TEN_SELECTS, "a pipeline", 8.0, 10.0);
        ratio(lines, Task.TRANSACTION, "a pipeline", 1.9, 2.1);
        ratio(lines, Task.TEN_INSERTS, "a pipeline", 8.0, 9.0);
        ratio(lines, Task.HUNDRED_ROWS, "a pipeline of 100 statements", 2.0, 2.2);
        ratio(lines, Task.HUNDRED_ROWS, "a pipeline of one UNNEST", null, null);
        ratio(lines, Task.TEN_SELECTS, "a pipeline, independent", null, null);
        ratio(lines, Task.MIXED, "a pipeline", null, null);
        return lines;
    }

    private double rate(Way way, int round) {
        return rates.getOrDefault(way, List.of()).get(round);
    }

    private void ratio(List<Line> lines, Task task, String ours, @Nullable Double must, @Nullable Double aim) {
        Way measured = rates.keySet().stream()
                .filter(way -> way.task() == task
                        && way.group() == Way.Group.OURS
                        && way.name().equals(ours))
                .findFirst()
                .orElseThrow();
        for (Way other : rates.keySet()) {
            if (other.task() == task && other.group() != Way.Group.OURS) {
                boolean held = other.group() == Way.Group.SEQUENTIAL;
                double[] ratios = new double[rounds];
                for (int i = 0; i < rounds; i++) {
                    ratios[i] = rate(measured, i) / rate(other, i);
                }
                lines.add(
                        Line.higher(
                                task.what + ": " + ours,
                                "pgjdbc, " + other.name(),
                                "operations/s, by the median operation of a turn",
                                ratios,
                                held ? must : null,
                                held ? aim : null,
                                "every value read against what was put there, in each operation; after each turn number, sum and words of the rows inserted"));
            }
        }
    }

    private List<Map<String, Object>> information() {
        List<Map<String, Object>> table = new ArrayList<>();
        rates.forEach((way, perSecond) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("task", way.task().what);
            row.put("way", (way.group() == Way.Group.OURS ? "" : "pgjdbc, ") + way.name());
            row.put("ms, median", Math.round(1e5 / Line.median(perSecond)) / 100.0);
            table.add(row);
        });
        return table;
    }
}
