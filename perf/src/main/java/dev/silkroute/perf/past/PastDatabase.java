package dev.silkroute.perf.past;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.station.RunningStation;
import dev.silkroute.postgres.maintenance.Maintenance;
import dev.silkroute.postgres.maintenance.MaintenanceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.ds.PGSimpleDataSource;

/** The database of a station without routers, and a history in it. */
final class PastDatabase implements AutoCloseable {
    private static final int DUMP_BATCH = 10_000;
    private static final long SESSION = 1_000_000;
    /** The default of {@code silkroute.history.index-after}. */
    static final int INDEX_AFTER = 100_000;

    private final RunningStation station;
    private final Connection connection;

    /** @param folder for the station's files, which are deleted before */
    PastDatabase(Path folder) throws IOException, SQLException {
        Folders.delete(folder);
        Files.createDirectories(folder.getParent());
        // The scenario determines when the tables are maintained.
        station = RunningStation.start(folder, Map.of("SILKROUTE_MAINTENANCE_ENABLED", "false"));
        connection = DriverManager.getConnection(station.jdbcUrl());
    }

    RunningStation station() {
        return station;
    }

    /** Executes what the station's maintenance would do now, with its default settings but no delay for late events. */
    void maintain(Maintenance.Listener listener) throws SQLException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(station.jdbcUrl());
        Duration month = Duration.ofDays(30);
        MaintenanceSettings settings = new MaintenanceSettings(
                month, Duration.ofDays(7), Duration.ZERO, month, month, month, month, month, INDEX_AFTER);
        new Maintenance(database, settings, listener).run(1000);
    }

    /** Returns another connection. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(station.jdbcUrl());
    }

    /** Router, peer, attribute sets, and the days that the history will be in. */
    void prepare(Instant from, Instant to) throws SQLException {
        execute("INSERT INTO bmp.router (name, session_id) VALUES ('edge-1', " + SESSION + ")");
        execute("INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id, asn)"
                + " VALUES (1, 0, 0, '198.51.100.1', 1, 4200000011)");
        execute("INSERT INTO bmp.attribute_set (attribute_hash, next_hop, origin, as_path, origin_asn, med, raw)"
                + " SELECT lpad(to_hex(n), 32, '0')::uuid, '192.0.2.1', 'igp', '4200000011 ' || n, n, n, '\\x'"
                + " FROM generate_series(0, "
                + (PastTable.SETS - 1) + ") n");
        execute("SELECT bmp.ensure_partitions('" + from + "', '" + to + "')");
    }

    /** Writes rows of the history; closed before anything else is asked. */
    final class Rows implements AutoCloseable {
        private final CopyIn copy;
        private final StringBuilder text = new StringBuilder();
        private long sequence;

        Rows(long firstSequence) throws SQLException {
            sequence = firstSequence;
            copy = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY bmp.route_event (received_at, session_id, sequence, peer_id, family, rib_view, action,"
                                    + " synthetic, attribute_hash, prefix) FROM STDIN");
        }

        void add(Instant at, int route, int set) throws SQLException {
            text.append(at)
                    .append('\t')
                    .append(SESSION)
                    .append('\t')
                    .append(sequence++ << 16)
                    .append("\t1\t257\t0\t");
            if (set == PastTable.WITHDRAWN) {
                text.append("0\tf\t\\N\t");
            } else {
                text.append("1\tf\t").append(new UUID(0, set)).append('\t');
            }
            text.append(PastTable.prefix(route)).append('\n');
            if (text.length() > 1 << 16) {
                flush();
            }
        }

        private void flush() throws SQLException {
            byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
            copy.writeToCopy(bytes, 0, bytes.length);
            text.setLength(0);
        }

        @Override
        public void close() throws SQLException {
            flush();
            copy.endCopy();
        }
    }

    void dump(PastTable table, int routes, Instant at) throws SQLException {
        try (Rows rows = new Rows(0)) {
            for (int route = 0; route < routes; route++) {
                rows.add(at.plusMillis(route / DUMP_BATCH * 100L), route, table.set(route));
            }
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String value(String sql) throws SQLException {
        return column(sql).getFirst();
    }

    List<String> column(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    /**
     * The first column's prefixes, with the second column's number; routes without a row are {@link
     * PastTable#WITHDRAWN}.
     */
    int[] state(String sql, int routes) throws SQLException {
        int[] state = new int[routes];
        java.util.Arrays.fill(state, PastTable.WITHDRAWN);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(10_000);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    state[PastTable.route(rows.getString(1))] = rows.getInt(2);
                }
            }
        } finally {
            connection.commit();
            connection.setAutoCommit(true);
        }
        return state;
    }

    @Override
    public void close() throws SQLException, InterruptedException {
        connection.close();
        station.close();
    }
}
