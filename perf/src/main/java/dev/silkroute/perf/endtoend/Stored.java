package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.util.List;

/**
 * Numbers of the routes that a station has stored.
 *
 * @param current rows of the current state
 * @param history rows of the history
 * @param rib routes in the RIB
 */
record Stored(long current, long history, long rib) {
    static Stored read(RunningStation station, FinishedRows rows) throws IOException, InterruptedException {
        return new Stored(rows.count("rib_route"), rows.count("route_event"), inRib(station));
    }

    static long inRib(RunningStation station) throws IOException, InterruptedException {
        List<String> metrics = station.metrics();
        return Math.round(RunningStation.sum(metrics, "silkroute_rib_routes", "role=\"rib\""));
    }

    /**
     * Checks that a dump was added to all three.
     *
     * @throws IOException if one of them has not exactly its routes in addition
     */
    void requireAdded(Stored before, long routes) throws IOException {
        if (current - before.current != routes || history - before.history != routes || rib - before.rib != routes) {
            throw new IOException("of %d routes, the current state has %d, the history %d, and the RIB %d"
                    .formatted(routes, current - before.current, history - before.history, rib - before.rib));
        }
    }
}
