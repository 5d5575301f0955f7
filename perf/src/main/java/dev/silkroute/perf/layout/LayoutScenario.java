package dev.silkroute.perf.layout;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Arrays or foreign memory for the RIB's records, decided by JMH. */
@Command(name = "layout", description = "Records in arrays of the heap against foreign memory, by JMH.")
public final class LayoutScenario extends Scenario {
    private static final Map<String, String> ACCESSES = Map.of(
            "followed", "one names the next", "together", "known before", "changed", "one int published in each");

    @Option(names = "--rounds", defaultValue = "7", description = "Rounds of a JVM for each: ${DEFAULT-VALUE}.")
    private int rounds;

    /** Nanoseconds by access and size, then by layout: one value per round. */
    private final Map<String, Map<String, List<Double>>> nanos = new TreeMap<>();

    @Override
    public Integer call() throws Exception {
        for (int round = 0; round < rounds; round++) {
            note(new Runner(new OptionsBuilder()
                            .include(LayoutBenchmark.class.getName())
                            .forks(1)
                            .warmupIterations(2)
                            .warmupTime(TimeValue.milliseconds(700))
                            .measurementIterations(3)
                            .measurementTime(TimeValue.milliseconds(700))
                            .build())
                    .run());
        }
        publish("records of 8 ints, read by acquire and published by release; a JVM for each", lines(), information());
        return 0;
    }

    private void note(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String access = ACCESSES.get(name.substring(name.lastIndexOf('.') + 1));
            boolean small = result.getParams().getParam("records").equals("1024");
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                nanos.computeIfAbsent((small ? "in the cache, " : "128 MiB, ") + access, q -> new HashMap<>())
                        .computeIfAbsent(result.getParams().getParam("layout"), l -> new ArrayList<>())
                        .add(fork.getPrimaryResult().getScore());
            }
        }
    }

    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        nanos.forEach((access, layouts) -> {
            for (String other : List.of("foreign-segments", "foreign")) {
                double[] ratios = new double[rounds];
                for (int i = 0; i < rounds; i++) {
                    ratios[i] =
                            of(layouts, "arrays").get(i) / of(layouts, other).get(i);
                }
                lines.add(Line.lower(
                        access + ": arrays in segments",
                        other.equals("foreign") ? "foreign memory in one piece" : "foreign memory in segments",
                        "ns a record",
                        ratios,
                        "each record against what was put there"));
            }
        });
        return lines;
    }

    private static List<Double> of(Map<String, List<Double>> layouts, String layout) {
        return layouts.getOrDefault(layout, List.of());
    }

    private List<Map<String, Object>> information() {
        List<Map<String, Object>> table = new ArrayList<>();
        nanos.forEach((access, layouts) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("access, ns a record", access);
            for (String layout : List.of("arrays", "foreign-segments", "foreign")) {
                row.put(layout, Math.round(Line.median(of(layouts, layout)) * 100) / 100.0);
            }
            table.add(row);
        });
        return table;
    }
}
