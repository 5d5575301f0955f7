package dev.silkroute.perf.postgres;

import dev.silkroute.perf.report.Machine;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** From its making to {@link #stop}: time, CPU seconds of the server's processes and of this one, bytes logged. */
public final class Meter {
    private final Server server;
    private final ProcessHandle process;
    private final Map<Long, Double> before = new ConcurrentHashMap<>();
    private final long wal;
    private final double cpu;
    private final long start;

    Meter(Server server, ProcessHandle process) throws SQLException {
        this.server = server;
        this.process = process;
        wal = server.walPosition();
        before.putAll(serverSeconds());
        cpu = Machine.cpuSeconds();
        start = System.nanoTime();
    }

    public ResourceUsage stop() throws SQLException {
        double seconds = (System.nanoTime() - start) / 1e9;
        double used = Machine.cpuSeconds() - cpu;
        double serverUsed = 0;
        for (Map.Entry<Long, Double> now : serverSeconds().entrySet()) {
            serverUsed += now.getValue() - before.getOrDefault(now.getKey(), 0.0);
        }
        return new ResourceUsage(seconds, serverUsed, used, server.walPosition() - wal);
    }

    /**
     * Returns the CPU time of each process of the server. A parent's includes that of ended children it has waited
     * for.
     */
    private Map<Long, Double> serverSeconds() {
        Map<Long, Double> now = new ConcurrentHashMap<>();
        process.descendants().forEach(child -> now.put(child.pid(), Processes.cpuSeconds(child.pid())));
        return now;
    }
}
