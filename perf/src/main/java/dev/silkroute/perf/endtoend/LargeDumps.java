package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Dumps of a large table into a station, each in a session of its own. */
final class LargeDumps {
    /**
     * A station with a large table may need some seconds for a checkpoint or a garbage collection. Longer than the
     * interval of the metrics of single routers, so that these are of the end of the dump.
     */
    private static final int QUIET_SECONDS = 30;

    private final RunningStation station;
    private final Path data;
    private final LargeTable table;
    private final long limitMinutes;
    private final StationLoad load;
    private final FinishedRows rows;

    /**
     * @param data directory of the station
     * @param limitMinutes that one dump may take
     */
    LargeDumps(RunningStation station, Path data, LargeTable table, long limitMinutes) {
        this.station = station;
        this.data = data;
        this.table = table;
        this.limitMinutes = limitMinutes;
        load = new StationLoad(station, limitMinutes);
        rows = new FinishedRows(station.postgresUrl(), data);
    }

    /** Sends the table to a station that does not have it, and ends the session when everything is stored. */
    LargeDump first(String name) throws IOException, InterruptedException {
        return run(name, _ -> true);
    }

    /** Sends the table to a station that has it, until no route is stale, and ends the session. */
    LargeDump again(String name) throws IOException, InterruptedException {
        return run(name, this::isConfirmed);
    }

    private LargeDump run(String name, Progress.Goal goal) throws IOException, InterruptedException {
        long walBefore = walPosition();
        Progress progress = new Progress(station, QUIET_SECONDS);
        Process router = load.hold(table.prefixes(), LargeTable.PEERS, "--families", LargeTable.FAMILIES);
        long walBytes;
        double peakMib;
        StationSample sample;
        Stored stored;
        List<String> metrics;
        long stale;
        try {
            progress.awaitEnd(System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes), goal);
            walBytes = walPosition() - walBefore;
            peakMib = station.peakResidentMib();
            sample = StationSample.take(station, data);
            stored = Stored.read(station, rows);
            metrics = station.metrics();
            stale = number("select count(*) from bmp.v_rib where stale")
                    + Math.round(RunningStation.sum(metrics, "silkroute_rib_router_stale_routes", LargeTable.ROUTER));
        } finally {
            StationLoad.end(router);
        }
        long sent = StationLoad.report(router).path("announcements").asLong();
        return new LargeDump(
                progress.phase(name, sent),
                progress.goalSeconds(),
                stored,
                stale,
                ofRib(metrics, "silkroute_rib_reserved_bytes"),
                Math.round(ofRib(metrics, "silkroute_rib_attribute_sets")),
                peakMib,
                sample,
                walBytes);
    }

    /**
     * Returns whether the RIB has confirmed each route, and the current state each table. The database has a row for a
     * table when it has processed its End-of-RIB; until then the confirmed routes are listed one by one.
     */
    private boolean isConfirmed(List<String> metrics) throws IOException, InterruptedException {
        return RunningStation.sum(metrics, "silkroute_rib_events_total", "outcome=\"confirmed\"") >= table.routes()
                && number("select count(*) from bmp.rib_sync y join bmp.peer using (peer_id)"
                                + " join bmp.live_session s using (router_id)"
                                + " where s.live and y.session_id >= s.session_id")
                        == LargeTable.TABLES;
    }

    private static double ofRib(List<String> metrics, String name) {
        return RunningStation.sum(metrics, name, "role=\"rib\"");
    }

    private long walPosition() throws IOException, InterruptedException {
        return number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    private long number(String query) throws IOException, InterruptedException {
        return Long.parseLong(Psql.run(station.postgresUrl(), query));
    }
}
