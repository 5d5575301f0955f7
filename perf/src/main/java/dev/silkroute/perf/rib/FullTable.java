package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@link FullTableProcess} with our RIB and with the plain one, and the pauses that its garbage collector reports.
 */
final class FullTable {
    private static final Pattern PAUSE = Pattern.compile("\\[(\\d+\\.\\d+)s\\].*Pause.* (\\d+\\.\\d+)ms$");
    private static final String SECONDS = "10";

    private static final List<String> NAMES = List.of(Contenders.PLAIN, Contenders.OWN);

    private final Path workload;
    private final double scale;
    private final Path log;
    private final Map<String, Map<String, List<Double>>> reported = new LinkedHashMap<>();

    FullTable(Path workload, double scale, Path folder) {
        this.workload = workload;
        this.scale = scale;
        log = folder.resolve("full.gc");
    }

    void run(int rounds, List<Line> lines, List<Map<String, Object>> information)
            throws IOException, InterruptedException {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < NAMES.size(); i++) {
                String name = NAMES.get((round + i) % NAMES.size());
                run(name)
                        .forEach((measure, value) -> reported.computeIfAbsent(name, _ -> new LinkedHashMap<>())
                                .computeIfAbsent(measure, _ -> new ArrayList<>())
                                .add(value));
            }
        }
        double[] plain = bytes(Contenders.PLAIN);
        double[] own = bytes(Contenders.OWN);
        String measure = "bytes/route, 5 peers × (1 M IPv4 + 200 k IPv6)";
        lines.add(Line.lower(
                measure + ", six to a set",
                Contenders.PLAIN,
                "bytes",
                RibLines.ratios(own, plain),
                0.4,
                0.25,
                "number of routes held"));
        lines.add(Line.lower(measure, "a byte", "bytes", own, 250.0, 120.0, "number of routes held"));
        information.addAll(rows());
    }

    private double[] bytes(String name) {
        List<Double> values = reported.getOrDefault(name, Map.of()).getOrDefault("bytes/route", List.of());
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private Collection<Map<String, Object>> rows() {
        Map<String, Map<String, Object>> rows = new LinkedHashMap<>();
        for (String name : NAMES) {
            reported.getOrDefault(name, Map.of()).forEach((measure, values) -> {
                Map<String, Object> row = rows.computeIfAbsent(measure, _ -> {
                    Map<String, Object> empty = new LinkedHashMap<>();
                    empty.put("measure", "full table: " + measure);
                    List.of(Contenders.OWN, Contenders.PLAIN, Contenders.ROTONDA, Contenders.BART)
                            .forEach(other -> empty.put(other, ""));
                    return empty;
                });
                row.put(
                        name,
                        RibFigures.text(
                                values.stream().mapToDouble(Double::doubleValue).toArray()));
            });
        }
        return rows.values();
    }

    private Map<String, Double> run(String name) throws IOException, InterruptedException {
        String which = name.equals(Contenders.PLAIN) ? "plain" : "own";
        return run(which, workload, scale, log);
    }

    private static Map<String, Double> run(String which, Path workload, double scale, Path log)
            throws IOException, InterruptedException {
        System.err.println("five peers, " + which);
        List<String> options = List.of("-Xlog:gc:file=" + log + ":uptime:filecount=0");
        Process process = new ProcessBuilder(Contenders.java(
                        FullTableProcess.class, options, which, workload.toString(), Double.toString(scale), SECONDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> reported = new LinkedHashMap<>();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the process of the full table failed");
        }
        text.lines().forEach(line -> {
            System.err.println(line);
            int at = line.indexOf('=');
            reported.put(line.substring(0, at), Double.parseDouble(line.substring(at + 1)));
        });
        pauses(log, reported);
        return reported;
    }

    private static void pauses(Path log, Map<String, Double> reported) throws IOException {
        double from = reported.getOrDefault("churn from", 0.0);
        double to = reported.getOrDefault("churn to", 0.0);
        double count = 0;
        double sum = 0;
        double max = 0;
        for (String line : Files.readAllLines(log)) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.find()) {
                double at = Double.parseDouble(pause.group(1));
                double millis = Double.parseDouble(pause.group(2));
                if (at >= from && at <= to) {
                    count++;
                    sum += millis;
                    max = Math.max(max, millis);
                }
            }
        }
        reported.remove("churn from");
        reported.remove("churn to");
        reported.put("GC pauses in " + SECONDS + " s of churn", count);
        reported.put("GC pauses, ms in all", sum);
        reported.put("GC pauses, longest, ms", max);
    }
}
