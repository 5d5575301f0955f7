package dev.silkroute.perf.peers;

import dev.silkroute.perf.peers.Collector.Consumed;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.station.ResidentMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** A collector by its name, how it is started, and its measured runs, one for each round. Not thread-safe. */
final class Contender {
    private final String name;
    private final String stores;
    private final Start start;
    private final List<Run> runs = new ArrayList<>();

    /** Starts a collector, whose files are in a folder. */
    @FunctionalInterface
    interface Start {
        Collector in(Path folder) throws IOException, InterruptedException;
    }

    /**
     * One run.
     *
     * @param routes that the collector reports to have received
     */
    record Run(Consumed consumed, long peakMib, long routes) {
        double perCpuSecond() {
            return routes / consumed.cpu().total();
        }
    }

    /** @param stores what it has stored when it has consumed a session */
    Contender(String name, String stores, Start start) {
        this.name = name;
        this.stores = stores;
        this.start = start;
    }

    String name() {
        return name;
    }

    String stores() {
        return stores;
    }

    /** Starts the collector, lets it consume the session, and ends it. */
    Run measure(SendingRouter router, Path folder, long limitMinutes) throws IOException, InterruptedException {
        try (Collector collector = start.in(folder)) {
            Consumed consumed;
            long peak;
            try (ResidentMemory memory = ResidentMemory.watch(collector::residentMib)) {
                consumed = collector.consume(router, System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes));
                peak = memory.peakMib();
            }
            router.disconnect();
            Run run = new Run(consumed, peak, collector.routes());
            runs.add(run);
            return run;
        }
    }

    /** Returns whether it has reported this number of routes in each run. */
    boolean reports(long routes) {
        return runs.stream().allMatch(run -> run.routes == routes);
    }

    double median(ToDoubleFunction<Run> value) {
        return Line.median(runs.stream().mapToDouble(value).toArray());
    }

    /** Round by round, this one's routes per CPU second divided by the other's of the same round. */
    double[] over(Contender other) {
        double[] ratios = new double[runs.size()];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] =
                    runs.get(round).perCpuSecond() / other.runs.get(round).perCpuSecond();
        }
        return ratios;
    }
}
