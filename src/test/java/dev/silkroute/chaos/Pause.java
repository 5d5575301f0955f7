package dev.silkroute.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in threads that simulate something: routers that limit their rate, failures at intervals. */
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

    /** Waits until the condition is true. Returns false on timeout. */
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
