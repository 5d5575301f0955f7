package dev.silkroute.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** All or nothing, on a connection that is in auto-commit mode before and after. */
final class Transaction {
    private Transaction() {}

    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    static <T> T run(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.run();
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        } catch (SQLException | RuntimeException e) {
            undo(connection, e);
            throw e;
        }
    }

    private static void undo(Connection connection, Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e); // the connection is gone, and what it had not committed with it
        }
    }
}
