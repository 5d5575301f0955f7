package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** The rows that our lane has written, as files that COPY reads. */
record CopyFiles(Path events, Path attributes) {
    void write(Database database) throws SQLException, IOException {
        copy(
                database,
                "(SELECT " + StationContender.COLUMNS
                        + " FROM bmp.route_event ORDER BY received_at, session_id, sequence)",
                events);
        copy(database, "bmp.attribute_set", attributes);
    }

    private static void copy(Database database, String what, Path file) throws SQLException, IOException {
        try (Connection connection = database.source().getConnection();
                OutputStream out = Files.newOutputStream(file)) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY " + what + " TO STDOUT (FORMAT binary)", out);
        }
    }
}
