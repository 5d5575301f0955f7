package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.CpuTimes;
import org.jspecify.annotations.Nullable;

/**
 * A measured phase.
 *
 * @param events announcements and withdrawals
 * @param ribSeconds until the RIB had applied the last one
 * @param rowSeconds until the rows of the last one were committed in both tables
 * @param latencies of the routes of a {@link Probe}; null without one
 */
record Phase(
        String name,
        long events,
        double ribSeconds,
        double rowSeconds,
        CpuTimes cpu,
        Probe.@Nullable Latencies latencies) {
    double microsPerEvent(double cpuSeconds) {
        return 1e6 * cpuSeconds / events;
    }

    Phase with(Probe.Latencies of) {
        return new Phase(name, events, ribSeconds, rowSeconds, cpu, of);
    }
}
