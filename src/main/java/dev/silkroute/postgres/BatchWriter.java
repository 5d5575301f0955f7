package dev.silkroute.postgres;

import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Stores route batches: all of a list or, when it throws, none. Usable by several threads at once. */
public interface BatchWriter {
    /**
     * @param connection in auto-commit mode, and again so afterwards
     * @param batches in the order of their topic
     * @return how many rows were written
     */
    long write(Connection connection, List<RouteBatch> batches) throws SQLException;
}
