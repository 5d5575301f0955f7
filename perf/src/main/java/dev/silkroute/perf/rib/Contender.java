package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.LineProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A process that holds a table, and its measurements. */
final class Contender implements AutoCloseable {
    private final String name;
    private final LineProcess process;
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();

    private Contender(String name, LineProcess process) {
        this.name = name;
        this.process = process;
    }

    static Contender start(String name, List<String> command) throws IOException {
        LineProcess process = LineProcess.start(name, command);
        process.expect("ready");
        return new Contender(name, process);
    }

    String name() {
        return name;
    }

    String send(String line) throws IOException {
        return process.ask(line);
    }

    /** Results by name. */
    Map<String, Double> ask(String line) throws IOException {
        Map<String, Double> numbers = new LinkedHashMap<>();
        String answer = send(line);
        for (String word : answer.split(" ")) {
            int at = word.indexOf('=');
            if (at < 0) {
                throw new IOException(name + " answered '" + answer + "' to '" + line + "'");
            }
            numbers.put(word.substring(0, at), Double.parseDouble(word.substring(at + 1)));
        }
        return numbers;
    }

    void keep(String measure, double value) {
        samples.computeIfAbsent(measure, _ -> new ArrayList<>()).add(value);
    }

    boolean has(String measure) {
        return samples.containsKey(measure);
    }

    double[] values(String measure) {
        return samples.getOrDefault(measure, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    double median(String measure) {
        return Line.median(values(measure));
    }

    Map<String, List<Double>> samples() {
        return samples;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.close();
    }
}
