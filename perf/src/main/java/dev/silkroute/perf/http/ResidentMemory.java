package dev.silkroute.perf.http;

import dev.silkroute.perf.station.RunningStation;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Watches the resident memory of a station until it is closed. Linux only. */
final class ResidentMemory implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RunningStation station;
    private final AtomicLong peak = new AtomicLong();
    private final Thread watcher;
    private volatile boolean closed;

    private ResidentMemory(RunningStation station) {
        this.station = station;
        watcher = Thread.ofPlatform().start(() -> {
            while (!closed) {
                look();
                LockSupport.parkNanos(INTERVAL_NANOS);
            }
        });
    }

    static ResidentMemory watch(RunningStation station) {
        return new ResidentMemory(station);
    }

    private void look() {
        peak.accumulateAndGet(station.residentMib(), Math::max);
    }

    long peakMib() {
        look();
        return peak.get();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        watcher.join();
    }
}
