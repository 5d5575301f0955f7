package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/**
 * The one transaction in which a batch is stored: rows, what they point to, and how far the lane has come in its topic. It
 * belongs to who {@linkplain #run runs} it; those who write into it neither commit nor roll back. What they remember of
 * what they wrote they remember {@linkplain #afterCommit after the commit}, so that a rollback leaves no trace in memory
 * either. Not thread-safe.
 */
public final class LaneTransaction {
    /** SQLSTATE connection_failure. */
    private static final String CONNECTION_FAILURE = "08006";

    private final Connection connection;
    private final List<Runnable> afterCommit = new ArrayList<>();

    private LaneTransaction(Connection connection) {
        this.connection = connection;
    }

    /** What is done in a transaction, or in a part of it. */
    @FunctionalInterface
    public interface Work<T> {
        T run(LaneTransaction transaction) throws SQLException;
    }

    /** All or nothing, on a connection that is in auto-commit mode before and after. */
    public static <T> T run(Connection connection, Work<T> work) throws SQLException {
        LaneTransaction transaction = new LaneTransaction(connection);
        T result;
        connection.setAutoCommit(false);
        try {
            result = work.run(transaction);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            if (!undone(connection, e) && e instanceof AssertionError) {
                // so fails pgjdbc's batch when its connection breaks between two answers
                throw new SQLException("The connection broke in a batch", CONNECTION_FAILURE, e);
            }
            throw e;
        }
        transaction.afterCommit.forEach(Runnable::run);
        connection.setAutoCommit(true);
        return result;
    }

    private static boolean undone(Connection connection, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
            return true;
        } catch (SQLException e) {
            cause.addSuppressed(e); // the connection is gone, and what it had not committed with it
            return false;
        }
    }

    public Connection connection() {
        return connection;
    }

    /** What is to be done when all of this is stored for good; not at all otherwise. It must not throw. */
    public void afterCommit(Runnable work) {
        afterCommit.add(work);
    }

    /** A part that can fail by itself: what it did is undone then, what was before it stays. */
    public <T> T part(Work<T> work) throws SQLException {
        int before = afterCommit.size();
        Savepoint savepoint = connection.setSavepoint();
        T result;
        try {
            result = work.run(this);
        } catch (SQLException | RuntimeException e) {
            afterCommit.subList(before, afterCommit.size()).clear();
            try {
                connection.rollback(savepoint);
            } catch (SQLException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        }
        connection.releaseSavepoint(savepoint);
        return result;
    }
}
