package dev.silkroute.perf.station;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Watches the resident memory of processes until it is closed. Linux only. */
public final class ResidentMemory implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LongSupplier mib;
    private final AtomicLong peak = new AtomicLong();
    private final Thread watcher;
    private volatile boolean closed;

    private ResidentMemory(LongSupplier mib) {
        this.mib = mib;
        watcher = Thread.ofPlatform().start(() -> {
            while (!closed) {
                read();
                LockSupport.parkNanos(INTERVAL_NANOS);
            }
        });
    }

    /** @param mib reads the memory that is resident now; called by another thread */
    public static ResidentMemory watch(LongSupplier mib) {
        return new ResidentMemory(mib);
    }

    private void read() {
        peak.accumulateAndGet(mib.getAsLong(), Math::max);
    }

    public long peakMib() {
        read();
        return peak.get();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        watcher.join();
    }
}
