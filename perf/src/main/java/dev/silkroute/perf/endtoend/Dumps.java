package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Table dumps of a router into a station, beside a {@link Probe}. */
public final class Dumps {
    private static final int PEERS = 2;

    private final RunningStation station;
    private final StationLoad load;
    private final FinishedRows rows;

    /**
     * A dump.
     *
     * @param rowSeconds until the rows of the last route were committed in both tables
     * @param ribP99 seconds within which 99 % of the probe's routes were in the RIB
     * @param rowP99 seconds within which 99 % of the probe's routes were committed
     */
    public record Dump(double rowSeconds, double ribP99, double rowP99) {}

    /** @param limitMinutes that one dump may take */
    public Dumps(RunningStation station, Path folder, long limitMinutes) {
        this.station = station;
        load = new StationLoad(station, limitMinutes).besideProbe();
        rows = new FinishedRows(station.postgresUrl(), folder);
    }

    /**
     * Sends the tables of a router, the same ones each time.
     *
     * @throws IOException if not all routes are stored
     */
    public Dump run(long routes) throws Exception {
        Phase phase = Probe.beside(station, () -> load.dump("dump", routes, PEERS));
        long stored =
                rows.count("rib_route join bmp.peer using (peer_id) join bmp.router using (router_id) where name <> '"
                        + Probe.ROUTER + "'");
        if (stored != routes) {
            throw new IOException("the current state has %d of %d routes".formatted(stored, routes));
        }
        Probe.Latencies latencies = Objects.requireNonNull(phase.latencies());
        return new Dump(
                phase.rowSeconds(), Probe.quantile(latencies.rib(), 0.99), Probe.quantile(latencies.row(), 0.99));
    }
}
