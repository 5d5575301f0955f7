package dev.silkroute.perf.startup;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * One start of a station.
 *
 * @param ready seconds from the command to the line that reports readiness
 * @param cpu seconds of CPU of the station's own process until then, its servers' not included
 * @param stop seconds from SIGTERM to the end of the process
 * @param commands for each command the seconds that it took, each time
 * @param idle CPU seconds of the station and its servers per second in which nothing happened; NaN if not measured
 */
record Start(double ready, double cpu, double stop, Map<Command, List<Double>> commands, double idle) {
    private static final int TIMES = 3;

    /** A command that asks a running station, and what its output must contain. */
    enum Command {
        STATUS("Sessions: 0", "status"),
        LOOKUP("No route covers", "lookup", "192.0.2.1"),
        SQL("42", "sql", "SELECT 6 * 7");

        private final String output;
        private final List<String> words;

        Command(String output, String... words) {
            this.output = output;
            this.words = List.of(words);
        }

        private String[] line(Path data) {
            List<String> line = new ArrayList<>(words);
            line.addAll(1, List.of("--data-dir", data.toString()));
            return line.toArray(String[]::new);
        }

        @Override
        public String toString() {
            return words.getFirst();
        }
    }

    /**
     * Starts a station, and measures commands and, for some seconds, the station while it is idle.
     *
     * @param warmUpSeconds how long it is idle before
     * @param idleSeconds 0 to measure the start alone
     */
    static Start measure(Path data, int warmUpSeconds, int idleSeconds) throws IOException, InterruptedException {
        long started = System.nanoTime();
        try (RunningStation station = RunningStation.start(data, Map.of())) {
            double ready = seconds(started);
            double cpu = station.cpu().station();
            station.checkReady();
            Map<Command, List<Double>> commands = new EnumMap<>(Command.class);
            double idle = Double.NaN;
            if (idleSeconds > 0) {
                for (int time = 0; time < TIMES; time++) {
                    for (Command command : Command.values()) {
                        commands.computeIfAbsent(command, ignored -> new ArrayList<>())
                                .add(run(command, data));
                    }
                }
                TimeUnit.SECONDS.sleep(warmUpSeconds);
                idle = idle(station, idleSeconds);
            }
            long stopped = System.nanoTime();
            station.stop();
            return new Start(ready, cpu, seconds(stopped), commands, idle);
        }
    }

    /** The median time of a command. */
    double seconds(Command command) {
        return Line.median(Objects.requireNonNull(commands.get(command)));
    }

    private static double run(Command command, Path data) throws IOException, InterruptedException {
        long started = System.nanoTime();
        Process process = RunningStation.command(command.line(data))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        double seconds = seconds(started);
        if (exit != 0 || !output.contains(command.output)) {
            throw new IOException("%s ended with %d: %s".formatted(command, exit, output));
        }
        return seconds;
    }

    private static double idle(RunningStation station, int seconds) throws InterruptedException {
        CpuTimes before = station.cpu();
        long started = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        return station.cpu().minus(before).total() / seconds(started);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
