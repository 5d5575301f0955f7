package dev.silkroute.perf.endtoend;

/**
 * A measured phase.
 *
 * @param events announcements and withdrawals
 * @param ribSeconds until the RIB had applied the last one
 * @param rowSeconds until the rows of the last one were committed in both tables
 */
record Phase(String name, long events, double ribSeconds, double rowSeconds, CpuTimes cpu) {
    double microsPerEvent(double cpuSeconds) {
        return 1e6 * cpuSeconds / events;
    }
}
