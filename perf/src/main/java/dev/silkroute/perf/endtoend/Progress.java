package dev.silkroute.perf.endtoend;

import java.io.IOException;

/** What the RIB and the lanes of a station do from the creation of this object on. */
final class Progress {
    private static final long POLL_MILLIS = 100;
    /** A phase has ended when nothing has changed for so long. The time does not count. */
    private static final long QUIET_NANOS = 6_000_000_000L;

    private final RunningStation station;
    private final CpuTimes cpuAtStart;
    private final double messages;
    /** When the first message of the phase was received; 0 before. */
    private long start;

    private CpuTimes cpu;
    private double rib;
    private double rows;
    private double ribSeconds;
    private double rowSeconds;

    Progress(RunningStation station) throws IOException, InterruptedException {
        this.station = station;
        cpuAtStart = station.cpu();
        cpu = cpuAtStart;
        rib = rib();
        rows = rows();
        messages = messages();
    }

    private double messages() throws IOException, InterruptedException {
        return station.metric("bmp_messages_total", "");
    }

    private double rib() throws IOException, InterruptedException {
        return station.metric("rib_events_total", "");
    }

    /** The number of records of routes that both lanes have committed. */
    private double rows() throws IOException, InterruptedException {
        return station.metric("pgcopy_records_total", "lane=\"current\"")
                + station.metric("pgcopy_records_total", "lane=\"history\"");
    }

    /** Waits until events have been stored and no more follow. */
    void awaitEnd(long deadline) throws IOException, InterruptedException {
        long changed = System.nanoTime();
        while (rowSeconds == 0 || System.nanoTime() - changed < QUIET_NANOS) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the station did not finish in time");
            }
            if (start == 0) {
                if (messages() == messages) {
                    Thread.sleep(POLL_MILLIS);
                    continue;
                }
                start = System.nanoTime();
            }
            Thread.sleep(POLL_MILLIS);
            double ribNow = rib();
            double rowsNow = rows();
            long now = System.nanoTime();
            if (ribNow != rib) {
                rib = ribNow;
                ribSeconds = (now - start) / 1e9;
                changed = now;
            }
            if (rowsNow != rows) {
                rows = rowsNow;
                rowSeconds = (now - start) / 1e9;
                changed = now;
            }
            if (changed == now) {
                cpu = station.cpu();
            }
        }
    }

    /** The phase up to the last change. */
    Phase phase(String name, long events) {
        return new Phase(name, events, ribSeconds, rowSeconds, cpu.minus(cpuAtStart));
    }
}
