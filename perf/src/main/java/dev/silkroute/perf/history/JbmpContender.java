package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.JbmpHistory;
import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * jBMP's table and indexes by binary COPY, one autocommit each portion. Rows were encoded before, so this arm is
 * spared the decoding and encoding that ours does.
 */
final class JbmpContender extends StorageContender {
    static final String DATABASE = "jbmp";

    private final List<Path> portions = new ArrayList<>();

    JbmpContender(TransactionFeed feed, Path folder) throws SQLException, IOException {
        super("jBMP's table", DATABASE, feed);
        JbmpHistory history = new JbmpHistory();
        for (List<byte[]> records : feed.transactions()) {
            Path file = folder.resolve("jbmp-" + portions.size() + ".copy");
            portions.add(Files.write(file, history.encode(records)));
        }
    }

    @Override
    protected void reset(Database database) throws SQLException {
        database.execute("TRUNCATE route_monitor");
    }

    @Override
    protected void run(Database database) throws Exception {
        try (Connection connection = database.source().getConnection()) {
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            for (Path portion : portions) {
                try (InputStream in = Files.newInputStream(portion)) {
                    copy.copyIn(JbmpHistory.COPY, in, 1 << 16);
                }
            }
        }
    }

    @Override
    protected long size(Database database) throws SQLException {
        return database.number("SELECT pg_total_relation_size('route_monitor')");
    }

    @Override
    protected String check(Database database) throws SQLException {
        return database.row(SameRoutes.JBMP);
    }
}
