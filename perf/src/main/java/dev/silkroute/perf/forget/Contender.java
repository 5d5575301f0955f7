package dev.silkroute.perf.forget;

import dev.silkroute.perf.report.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A way to send, the process in which it does, and its measured runs. */
final class Contender implements AutoCloseable {
    private final SendVariant way;
    private final Process process;
    private final BufferedReader answers;
    private final List<Run> runs = new ArrayList<>();

    /** Starts the process; {@link #awaitReady} is to follow. */
    Contender(SendVariant way, int size) throws IOException {
        this.way = way;
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MeasuredProcess.class.getName()));
        command.addAll(List.of(way.name(), Integer.toString(size)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    SendVariant way() {
        return way;
    }

    /** Until numbered messages have arrived whole, in order, and over one connection. */
    void awaitReady() throws IOException {
        answer("ready");
    }

    Run run(long millis) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(millis + "\n").flush();
        return Run.parse(answer(Run.START));
    }

    private String answer(String start) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.startsWith(start)) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException(way + " failed, see above");
        }
        return line;
    }

    void add(Run run) {
        runs.add(run);
    }

    double median(ToDoubleFunction<Run> value) {
        return Line.median(values(value));
    }

    double best(ToDoubleFunction<Run> value) {
        return Arrays.stream(values(value)).max().orElseThrow();
    }

    double worst(ToDoubleFunction<Run> value) {
        return Arrays.stream(values(value)).min().orElseThrow();
    }

    /** Round by round, this one's figure divided by the other's. */
    double[] over(Contender other, ToDoubleFunction<Run> value) {
        double[] own = values(value);
        double[] others = other.values(value);
        for (int i = 0; i < own.length; i++) {
            own[i] /= others[i];
        }
        return own;
    }

    /** Round by round, this one's rate divided by the best that the other had in any round. */
    double[] overBestOf(Contender other) {
        double best = other.best(Run::delivered);
        return Arrays.stream(values(Run::delivered)).map(rate -> rate / best).toArray();
    }

    private double[] values(ToDoubleFunction<Run> value) {
        return runs.stream().mapToDouble(value).toArray();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
