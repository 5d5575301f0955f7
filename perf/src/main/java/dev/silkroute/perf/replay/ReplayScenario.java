package dev.silkroute.perf.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.capture.packet.PacketFormat;
import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Result;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays a capture with its own times and compares the times between its packets with those at which they came. */
@Command(name = "replay", description = "How exactly `replay --speed original` keeps the times between packets.")
public final class ReplayScenario extends Scenario {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The upper bound of the 99th percentile. */
    private static final double BOUND_MILLIS = 5;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "A capture with one session; without it one is made up.")
    private @Nullable Path file;

    @Option(names = "--packets", defaultValue = "4000", description = "of the made-up capture (${DEFAULT-VALUE})")
    private int packets;

    @Option(
            names = "--gap",
            defaultValue = "5",
            description = "mean milliseconds between its packets (${DEFAULT-VALUE})")
    private double gap;

    @Option(names = "--rounds", defaultValue = "7", description = "how many times (${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--show", defaultValue = "Infinity", description = "prints gaps that deviate by more milliseconds")
    private double worth;

    @Override
    public Integer call() throws Exception {
        if (file != null) {
            measure(file);
            return 0;
        }
        Path folder = Files.createTempDirectory("silkroute-perf");
        try {
            Path made = folder.resolve("paced.pcap");
            PacedCapture.write(made, packets, gap, 1);
            store(measure(made));
        } finally {
            Folders.delete(folder);
        }
        return 0;
    }

    private Result measure(Path capture) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        double[] shares = new double[rounds];
        for (int round = 1; round <= rounds; round++) {
            double[] deviations = deviations("replay", capture, port -> replay(capture, port));
            shares[round - 1] = quantile(deviations, 0.99) / BOUND_MILLIS;
            rows.add(row(round, "replay", deviations));
            rows.add(row(
                    round, "bare loop", deviations("bare loop", capture, port -> BaselineReplay.send(capture, port))));
        }
        Line line = Line.lower(
                "original speed, p99 of the deviation from the capture's times between packets",
                "5 ms",
                "milliseconds",
                shares,
                1.0,
                "each packet arrived, its bytes counted on the receiving side");
        return print("", List.of(line), rows);
    }

    /** Sends a capture to a port, and returns at its end. */
    private interface Sending {
        void to(int port) throws Exception;
    }

    /** In milliseconds, in the order of the packets. */
    private double[] deviations(String name, Path capture, Sending sending) throws Exception {
        List<Long> times = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        read(capture, times, ends);
        double[] deviations = new double[times.size() - 1];
        try (Arrivals arrivals = new Arrivals()) {
            Thread reader = Thread.ofPlatform().start(arrivals::read);
            sending.to(arrivals.port());
            reader.join();
            for (int i = 1; i < times.size(); i++) {
                long wanted = times.get(i) - times.get(i - 1);
                long got = arrivals.nanosOf(ends.get(i)) - arrivals.nanosOf(ends.get(i - 1));
                deviations[i - 1] = Math.abs(got - wanted) / NANOS_PER_MILLI;
                if (deviations[i - 1] > worth) {
                    System.out.printf(
                            Locale.ROOT,
                            "%s: packet %d of %d bytes, %.3f s after the first: %.3f ms wanted, %.3f ms got%n",
                            name,
                            i,
                            ends.get(i) - ends.get(i - 1),
                            (times.get(i) - times.getFirst()) / 1e9,
                            wanted / NANOS_PER_MILLI,
                            got / NANOS_PER_MILLI);
                }
            }
        }
        return deviations;
    }

    private static Map<String, Object> row(int round, String name, double... deviations) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("round", round);
        row.put("sender", name);
        row.put("packets", deviations.length + 1);
        row.put("p50 ms", text(quantile(deviations, 0.5)));
        row.put("p99 ms", text(quantile(deviations, 0.99)));
        row.put("max ms", text(quantile(deviations, 1)));
        row.put("first gap ms", text(deviations[0]));
        return row;
    }

    private static void read(Path capture, List<Long> times, List<Long> ends) throws CaptureException {
        CaptureFile opened = CaptureFile.open(capture, PacketFormat.AND_RAW);
        if (opened.survey().sessions().size() != 1) {
            throw new IllegalArgumentException("a capture with one session is wanted");
        }
        long end = 0;
        try (SessionReader reader = opened.read(opened.survey().sessions().getFirst())) {
            while (reader.next()) {
                end += reader.to() - reader.from();
                times.add(reader.timeNanos());
                ends.add(end);
            }
        }
    }

    private static void replay(Path capture, int port) throws IOException, InterruptedException {
        ProcessBuilder command = RunningStation.command(
                "replay", "--speed", "original", "--to", "127.0.0.1:" + port, capture.toString());
        if (command.inheritIO().start().waitFor() != 0) {
            throw new IllegalStateException("the replay has failed");
        }
    }

    private static double quantile(double[] values, double quantile) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int at = Math.min(sorted.length - 1, (int) Math.ceil(quantile * sorted.length) - 1);
        return sorted[Math.max(0, at)];
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%.3f", millis);
    }
}
