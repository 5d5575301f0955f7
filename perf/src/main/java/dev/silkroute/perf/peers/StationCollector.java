package dev.silkroute.perf.peers;

import dev.silkroute.perf.endtoend.Progress;
import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** The station with its embedded servers, as {@code ./silkroute run} starts it. */
final class StationCollector implements Collector {
    /** Nothing is stored without the role writer, for which the collector would slow its routers down. */
    private static final Map<String, String> WITHOUT_WRITER =
            Map.of("SILKROUTE_ROLES", "collector,rib", "SILKROUTE_QUOTA_STORE_DELAY", "0s");

    private final RunningStation station;
    private final Path data;
    private final boolean writes;

    private StationCollector(RunningStation station, Path data, boolean writes) {
        this.station = station;
        this.data = data;
        this.writes = writes;
    }

    /** Starts a station with all roles. */
    static Collector all(Path folder) throws IOException {
        return start(folder, true);
    }

    /** Starts a station with the roles collector and rib. */
    static Collector withoutWriter(Path folder) throws IOException {
        return start(folder, false);
    }

    private static Collector start(Path folder, boolean writes) throws IOException {
        Path data = folder.resolve("data");
        RunningStation station = RunningStation.start(data, writes ? Map.of() : WITHOUT_WRITER);
        return new StationCollector(station, data, writes);
    }

    @Override
    public Consumed consume(SendingRouter router, long deadline) throws IOException, InterruptedException {
        Progress progress = new Progress(station);
        router.send(station.bmpPort());
        if (writes) {
            progress.awaitEnd(deadline);
        } else {
            progress.awaitRib(deadline);
        }
        return new Consumed(progress.seconds(), progress.cpu());
    }

    @Override
    public long residentMib() {
        return Math.round(station.memory().total());
    }

    @Override
    public long routes() throws IOException, InterruptedException {
        long rib = Math.round(RunningStation.sum(station.metrics(), "silkroute_rib_routes", "role=\"rib\""));
        if (writes) {
            long current = rows("rib_route");
            long history = rows("route_event");
            if (current != rib || history != rib) {
                throw new IOException("the RIB has %d routes, the current state %d, and the history %d events"
                        .formatted(rib, current, history));
            }
        }
        return rib;
    }

    private long rows(String table) throws IOException {
        try (Connection database = DriverManager.getConnection(station.jdbcUrl());
                Statement statement = database.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM bmp." + table)) {
            count.next();
            return count.getLong(1);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        station.close();
        Folders.delete(data);
    }
}
