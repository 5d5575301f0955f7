package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.station.MemoryUse;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Memory and disk that a station uses at one time, in MiB.
 *
 * @param events that the RIB has applied since the start
 * @param heap used in the station's heap after its last collection: all but what has been allocated since
 * @param kafkaDisk files of Kafka
 * @param postgresDisk files of PostgreSQL, with its log
 * @param database size of the database, without the log
 * @param historyLag records that the lane of the history has not stored; measured every 15 seconds
 * @param currentLag the same of the current state
 */
record StationSample(
        Instant at,
        long events,
        double heap,
        MemoryUse memory,
        double kafkaDisk,
        double postgresDisk,
        double database,
        long historyLag,
        long currentLag) {
    private static final double MIB = 1 << 20;
    private static final String HEAP = "jvm_memory_used_bytes";

    /** @param data directory of the station */
    static StationSample take(RunningStation station, Path data) throws IOException, InterruptedException {
        List<String> metrics = station.metrics();
        String database = Psql.run(station.postgresUrl(), "select pg_database_size(current_database())");
        return new StationSample(
                Instant.now(),
                Math.round(RunningStation.sum(metrics, Progress.RIB_EVENTS, "")),
                heapMib(metrics),
                station.memory(),
                Folders.bytes(data.resolve("kafka")) / MIB,
                Folders.bytes(data.resolve("postgres")) / MIB,
                Long.parseLong(database) / MIB,
                lag(metrics, "history"),
                lag(metrics, "current"));
    }

    /** Returns the MiB that are in use in the station's heap after a collection of all of it. */
    static double liveHeapMib(RunningStation station) throws IOException, InterruptedException {
        station.collectGarbage();
        return heapMib(station.metrics());
    }

    private static double heapMib(List<String> metrics) {
        return (RunningStation.sum(metrics, HEAP, "area=\"heap\"") - RunningStation.sum(metrics, HEAP, "Eden")) / MIB;
    }

    private static long lag(List<String> metrics, String lane) {
        return Math.round(RunningStation.sum(metrics, "silkroute_lane_lag_records", "lane=\"" + lane + "\""));
    }
}
