package dev.silkroute.perf.decode;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.LineProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A decoder in its own process, and what it did: one run for each round and stream. Not thread-safe. */
final class Contender implements AutoCloseable {
    private final String name;
    private final String command;
    private final LineProcess process;
    private final Map<Stream, Counts> counts = new HashMap<>();
    private final Map<Stream, List<Run>> runs = new HashMap<>();

    private Contender(String name, String command, LineProcess process) {
        this.name = name;
        this.command = command;
        this.process = process;
    }

    /**
     * Starts the program with the streams' files as arguments, held to one core where the machine has {@code taskset}.
     *
     * @param command the command for a stream in a measured round
     */
    static Contender start(String name, String command, List<String> program, List<Stream> streams) throws IOException {
        List<String> all = new ArrayList<>(Tools.onOneCore());
        all.addAll(program);
        streams.forEach(stream -> all.add(stream.argument()));
        LineProcess process = LineProcess.start(name, all);
        process.expect("ready");
        return new Contender(name, command, process);
    }

    String name() {
        return name;
    }

    /** One pass that counts; asked of the contender once for each stream. */
    Counts counts(Stream stream) throws IOException {
        Counts known = counts.get(stream);
        if (known == null) {
            known = Counts.parse(process.ask("count " + stream.number()));
            counts.put(stream, known);
        }
        return known;
    }

    /** Whole passes until so much CPU time is used. */
    Run decode(Stream stream, double seconds) throws IOException {
        long messages = counts(stream).messages();
        Map<String, Long> reported = Counts.numbers(process.ask(command + " " + stream.number() + " " + seconds));
        double all = (double) messages * reported.getOrDefault("passes", 0L);
        return new Run(
                all / reported.getOrDefault("cpu", 0L) * 1e9,
                all / reported.getOrDefault("nanos", 0L) * 1e9,
                reported.containsKey("bytes") ? reported.get("bytes") / all : Double.NaN);
    }

    void keep(Stream stream, Run run) {
        runs.computeIfAbsent(stream, key -> new ArrayList<>()).add(run);
    }

    double[] values(Stream stream, ToDoubleFunction<Run> value) {
        return runs.getOrDefault(stream, List.of()).stream().mapToDouble(value).toArray();
    }

    double median(Stream stream, ToDoubleFunction<Run> value) {
        return Line.median(values(stream, value));
    }

    /** Round by round, this one's messages for each CPU second divided by the other's of the same round. */
    double[] over(Contender other, Stream stream) {
        double[] own = values(stream, Run::perCpuSecond);
        double[] others = other.values(stream, Run::perCpuSecond);
        double[] ratios = new double[own.length];
        for (int i = 0; i < own.length; i++) {
            ratios[i] = own[i] / others[i];
        }
        return ratios;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.close();
    }

    /**
     * The result of one round.
     *
     * @param perCpuSecond messages for each second of CPU time, garbage collection and compilation included
     * @param perSecond messages for each second by the clock
     * @param allocated bytes for each message; NaN if the contender does not measure it
     */
    record Run(double perCpuSecond, double perSecond, double allocated) {}
}
