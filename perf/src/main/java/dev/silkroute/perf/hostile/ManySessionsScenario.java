package dev.silkroute.perf.hostile;

import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A thousand sessions, a few of which do their worst for minutes, in the heap that a station has by default. */
@Command(
        name = "many-sessions",
        description =
                "A thousand sessions, of which some flood the station, in 1 GiB of heap: does it stay up, and keep all?")
public final class ManySessionsScenario extends Scenario {
    @Option(names = "--sessions", defaultValue = "1000", description = "all together (${DEFAULT-VALUE})")
    private int sessions;

    @Option(names = "--seconds", defaultValue = "600", description = "of the floods (${DEFAULT-VALUE})")
    private long seconds;

    @Option(
            names = "--floods",
            split = ",",
            defaultValue = "IPV6,FLAPPING,HALF_MESSAGES",
            description = "what sessions send that are not quiet: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private List<Flood> floods = List.of();

    @Option(names = "--connections", defaultValue = "1", description = "of each flood (${DEFAULT-VALUE})")
    private int connections;

    @Option(names = "--limit", defaultValue = "600", description = "seconds until all are stored (${DEFAULT-VALUE})")
    private long limit;

    @Override
    public Integer call() throws Exception {
        Path data = Files.createTempDirectory(folder(), "data");
        List<Map<String, Object>> rows = new ArrayList<>();
        boolean passed;
        try (RunningStation station = RunningStation.start(data, Map.of());
                QuietSessions quiet = QuietSessions.open(station.bmpPort(), sessions - floods.size() * connections);
                Connection database = DriverManager.getConnection(station.jdbcUrl())) {
            long began = System.nanoTime();
            List<Attack> attacks = new ArrayList<>();
            try {
                floods.forEach(flood -> attacks.add(Attack.begin(flood, station.bmpPort(), connections, false)));
                for (int part = 1; part <= 10 && station.isUp(); part++) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(seconds * 100));
                    rows.add(row(began, attacks, station, quiet, database));
                }
            } finally {
                for (Attack attack : attacks) {
                    attack.close();
                }
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limit);
            while (station.isUp() && stored(database) < quiet.count() && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
            rows.add(row(began, attacks, station, quiet, database));
            passed = station.isUp() && quiet.lost() == 0 && stored(database) == quiet.count();
        }
        publish(List.of(), rows);
        return passed ? 0 : 1;
    }

    private static Map<String, Object> row(
            long began, List<Attack> attacks, RunningStation station, QuietSessions quiet, Connection database)
            throws Exception {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("after, s", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
        row.put("flood, MiB", attacks.stream().mapToLong(Attack::sent).sum() >> 20);
        row.put("quiet sessions", quiet.count());
        row.put("of these ended", quiet.lost());
        row.put("their routes stored", station.isUp() ? stored(database) : "");
        row.put("station", station.isUp() ? station.residentMib() + " MiB" : "down");
        return row;
    }

    /** Returns how many routes of quiet sessions are in the database. */
    private static int stored(Connection database) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM bmp.rib_route WHERE prefix <<= '11.0.0.0/8'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
