package dev.silkroute.perf.rib;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Times repeated runs. */
final class RepeatedRuns {
    private static volatile long sink;

    private RepeatedRuns() {}

    /** @return nanoseconds per run on one thread: CPU time of the thread, or elapsed time */
    static double loop(QueryScenario.Run run, double seconds, boolean cpu) throws SQLException {
        long start = cpu ? Memory.cpuOfThisThread() : System.nanoTime();
        long count = 0;
        long portion = 1;
        long sum = 0;
        long taken = 0;
        while (taken < seconds * 1e9) {
            for (long i = 0; i < portion; i++) {
                sum += run.run();
            }
            count += portion;
            taken = (cpu ? Memory.cpuOfThisThread() : System.nanoTime()) - start;
            // Reads the clock about a hundred times.
            portion = Math.max(1, (long) (count * seconds * 1e7 / Math.max(1, taken)));
        }
        sink = sum;
        return (double) taken / count;
    }

    /** @return elapsed nanoseconds per run, over all threads */
    static double nanos(int threads, double seconds, QueryScenario.Run run) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Double>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> loop(run, seconds, false)));
            }
            double rate = 0;
            for (Future<Double> thread : running) {
                rate += 1 / thread.get();
            }
            return 1 / rate;
        }
    }
}
