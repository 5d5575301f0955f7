package dev.silkroute.perf.rib;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Questions again and again. */
final class Together {
    private static volatile long sink;

    private Together() {}

    /** @return nanoseconds for one, by one thread: of its CPU, or by the clock */
    static double loop(QueryScenario.Asking asking, double seconds, boolean cpu) throws SQLException {
        long start = cpu ? Memory.cpuOfThisThread() : System.nanoTime();
        long count = 0;
        long portion = 1;
        long sum = 0;
        long taken = 0;
        while (taken < seconds * 1e9) {
            for (long i = 0; i < portion; i++) {
                sum += asking.ask();
            }
            count += portion;
            taken = (cpu ? Memory.cpuOfThisThread() : System.nanoTime()) - start;
            // About a hundred looks at the clock.
            portion = Math.max(1, (long) (count * seconds * 1e7 / Math.max(1, taken)));
        }
        sink = sum;
        return (double) taken / count;
    }

    /** @return nanoseconds by the clock for each that any of them has asked */
    static double nanos(int threads, double seconds, QueryScenario.Asking asking) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Double>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> loop(asking, seconds, false)));
            }
            double rate = 0;
            for (Future<Double> run : running) {
                rate += 1 / run.get();
            }
            return 1 / rate;
        }
    }
}
