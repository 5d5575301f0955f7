package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The progress of the RIB and the lanes of a station since the creation of this object. */
public final class Progress {
    /** The counter of the events that the RIB has applied. */
    static final String RIB_EVENTS = "silkroute_rib_events_total";

    /** Each poll costs the station some 15 ms of CPU time. */
    private static final long POLL_MILLIS = 500;
    /** A phase has ended when nothing has changed for so long. The time does not count. */
    private static final int QUIET_SECONDS = 6;

    /**
     * A {@link Probe} causes fewer events, and fewer records of both lanes together, in a second. They do not count as
     * changes. A record of a dump or of many changes has some 500 events.
     */
    private static final double OF_PROBE = 60;

    private final RunningStation station;
    private final double ofProbePerSecond;
    private final long quietNanos;
    private final CpuTimes cpuAtStart;
    private final Counts countsAtStart;
    /** The time of the first message of the phase; 0 before. */
    private long start;

    private CpuTimes cpu;
    private Counts counts;
    private double ribSeconds;
    private double rowSeconds;
    /** Negative until the goal is reached. */
    private double goalSeconds = -1;

    /** A state of the station that a phase has to reach before it ends. */
    @FunctionalInterface
    interface Goal {
        boolean isReached(List<String> metrics) throws IOException, InterruptedException;
    }

    /** @param rows records of routes that the lanes have committed, of both lanes */
    private record Counts(double messages, double rib, double rows) {
        static Counts of(List<String> metrics) {
            return new Counts(
                    RunningStation.sum(metrics, "bmp_messages_total", ""),
                    RunningStation.sum(metrics, RIB_EVENTS, ""),
                    RunningStation.sum(metrics, "silkroute_pgcopy_records_total", "lane=\"current\"")
                            + RunningStation.sum(metrics, "silkroute_pgcopy_records_total", "lane=\"history\""));
        }
    }

    public Progress(RunningStation station) throws IOException, InterruptedException {
        this(station, false);
    }

    /** @param quietSeconds without a change after which a phase has ended */
    Progress(RunningStation station, int quietSeconds) throws IOException, InterruptedException {
        this(station, 0, quietSeconds);
    }

    /** @param probed whether a {@link Probe} runs beside it */
    Progress(RunningStation station, boolean probed) throws IOException, InterruptedException {
        this(station, probed ? OF_PROBE : 0, QUIET_SECONDS);
    }

    private Progress(RunningStation station, double ofProbePerSecond, int quietSeconds)
            throws IOException, InterruptedException {
        this.station = station;
        this.ofProbePerSecond = ofProbePerSecond;
        quietNanos = TimeUnit.SECONDS.toNanos(quietSeconds);
        cpuAtStart = station.cpu();
        cpu = cpuAtStart;
        countsAtStart = Counts.of(station.metrics());
        counts = countsAtStart;
    }

    /** Waits until events have been stored and no more follow. */
    public void awaitEnd(long deadline) throws IOException, InterruptedException {
        await(deadline, _ -> true, () -> rowSeconds > 0);
    }

    /** The same, and until a goal is reached. */
    void awaitEnd(long deadline, Goal goal) throws IOException, InterruptedException {
        await(deadline, goal, () -> rowSeconds > 0);
    }

    /** Waits until the RIB has applied events and no more follow, in a station that does not store them. */
    public void awaitRib(long deadline) throws IOException, InterruptedException {
        await(deadline, _ -> true, () -> ribSeconds > 0);
    }

    private void await(long deadline, Goal goal, BooleanSupplier begun) throws IOException, InterruptedException {
        long changed = System.nanoTime();
        long polled = changed;
        while (!begun.getAsBoolean() || goalSeconds < 0 || System.nanoTime() - changed < quietNanos) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the station did not finish in time");
            }
            Thread.sleep(POLL_MILLIS);
            List<String> metrics = station.metrics();
            Counts now = Counts.of(metrics);
            long at = System.nanoTime();
            if (start == 0 && now.messages != countsAtStart.messages) {
                start = at;
            }
            double ofProbe = ofProbePerSecond * (at - polled) / 1e9;
            boolean ribChanged = now.rib - counts.rib > ofProbe;
            boolean rowsChanged = now.rows - counts.rows > ofProbe;
            polled = at;
            if (ribChanged) {
                ribSeconds = (at - start) / 1e9;
            }
            if (rowsChanged) {
                rowSeconds = (at - start) / 1e9;
            }
            if (start != 0 && (ribChanged || rowsChanged)) {
                changed = at;
                cpu = station.cpu();
            }
            counts = now;
            if (start != 0 && goalSeconds < 0 && goal.isReached(metrics)) {
                goalSeconds = (System.nanoTime() - start) / 1e9;
            }
        }
    }

    /** Seconds until the goal was reached. */
    double goalSeconds() {
        return goalSeconds;
    }

    /** Events that the RIB has applied. */
    long events() {
        return Math.round(counts.rib - countsAtStart.rib);
    }

    /** Seconds from the first message to the last change. */
    public double seconds() {
        return Math.max(ribSeconds, rowSeconds);
    }

    /** CPU time until the last change. */
    public CpuTimes cpu() {
        return cpu.minus(cpuAtStart);
    }

    /** The phase up to the last change. */
    Phase phase(String name, long events) {
        return new Phase(name, events, ribSeconds, rowSeconds, cpu(), null);
    }
}
