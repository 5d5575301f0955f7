package dev.silkroute.perf.rib;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Server;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The same routes in PostgreSQL at its best: one narrow table with an index for every query, in memory, vacuumed so
 * that counts use index-only scans, prepared statements, one open connection.
 */
final class QueryDatabase implements AutoCloseable {
    private static final List<String> INDEXES = List.of(
            "CREATE INDEX ON route (peer, prefix) INCLUDE (origin_as)",
            "CREATE INDEX ON route (origin_as, prefix, peer)",
            "CREATE INDEX ON route (family)",
            "CREATE INDEX ON route USING spgist (prefix)",
            "CREATE INDEX ON route USING gin (path)",
            "VACUUM (ANALYZE) route");

    private final Database database;
    private final Connection connection;

    QueryDatabase(Server server, QueryTable table) throws SQLException {
        database = server.create("queries_" + table.size());
        database.execute(
                "CREATE TABLE route (peer integer, family integer, prefix cidr, origin_as bigint, path bigint[])");
        connection = database.source().getConnection();
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY route FROM STDIN");
        for (int i = 0; i < table.size(); i++) {
            byte[] line = table.line(i).getBytes(StandardCharsets.US_ASCII);
            copy.writeToCopy(line, 0, line.length);
        }
        copy.endCopy();
        for (String index : INDEXES) {
            database.execute(index);
        }
        // Twice: the first one also sets hint bits.
        database.execute("SELECT sum(peer) FROM route");
        database.execute("VACUUM (ANALYZE) route");
    }

    PreparedStatement prepare(RibQuery query, QueryTable table) throws SQLException {
        return connection.prepareStatement(query.sql(QueryTable.PEER, table));
    }

    static List<String> run(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<String> answers = new ArrayList<>();
            while (rows.next()) {
                answers.add(rows.getString(1));
            }
            return answers;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        database.drop();
    }
}
