package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A process that holds a table, and its measurements. */
final class Contender implements AutoCloseable {
    private final String name;
    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();

    private Contender(String name, Process process) {
        this.name = name;
        this.process = process;
        in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII));
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    static Contender start(String name, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Contender contender = new Contender(name, process);
        String line = contender.out.readLine();
        if (!"ready".equals(line)) {
            throw new IOException(name + ": unexpected output '" + line + "' instead of 'ready'");
        }
        return contender;
    }

    String name() {
        return name;
    }

    String say(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
        String answer = out.readLine();
        if (answer == null) {
            throw new IOException(name + " ended without an answer to '" + line + "'");
        }
        return answer;
    }

    /** Results by name. */
    Map<String, Double> ask(String line) throws IOException {
        Map<String, Double> numbers = new LinkedHashMap<>();
        String answer = say(line);
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
        in.close();
        process.waitFor();
    }
}
