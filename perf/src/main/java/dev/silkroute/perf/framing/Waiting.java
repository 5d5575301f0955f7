package dev.silkroute.perf.framing;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what other threads bring about, looked at every 200 µs: the runs take a thousand times that and more. */
final class Waiting {
    private static final long LOOK_NANOS = 200_000;
    private static final long LIMIT_NANOS = 120_000_000_000L;

    private Waiting() {}

    static void until(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("waited in vain for " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
