package dev.silkroute.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting of threads that play a part: routers that pace themselves, a monkey that bides its time. */
final class Pause {
    private static final long POLL_NANOS = 20_000_000;

    private Pause() {}

    static void millis(long millis) {
        nanos(millis * 1_000_000);
    }

    static void nanos(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Whether it came true in time. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            nanos(POLL_NANOS);
        }
        return true;
    }
}
