package dev.silkroute.postgres.lane;

import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Stores route batches, in two steps. Usable by several threads at once, each with its own connection. */
public interface BatchWriter {
    /**
     * Sees to what the batches need and what may outlive them: ids of routers and peers, partitions, attribute sets. Each of its statements
     * is committed by itself, so that ids can be remembered at once, and no lock on them waits for a large transaction.
     *
     * @param connection in auto-commit mode, as it is to stay; what is prepared is written through it too
     * @param batches in the order of their topic
     * @return writes all of them
     */
    Prepared prepare(Connection connection, List<RouteBatch> batches) throws SQLException;
}
