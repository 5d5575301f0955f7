package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/**
 * The one transaction in which records are stored: rows, what they refer to, and the lane's offsets. It belongs to its
 * {@linkplain #run runner}; code that writes in it neither commits nor rolls back. Such code updates its caches
 * {@linkplain #afterCommit after the commit}, so that a rollback leaves no trace in memory. Not thread-safe.
 */
public final class LaneTransaction {
    /** SQLSTATE connection_failure. */
    private static final String CONNECTION_FAILURE = "08006";

    private final Connection connection;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private long superseded;

    private LaneTransaction(Connection connection) {
        this.connection = connection;
    }

    /** Work within a transaction, or within a part of it. */
    @FunctionalInterface
    public interface Work<T> {
        T run(LaneTransaction transaction) throws SQLException;
    }

    /** Runs a transaction on a connection that is in auto-commit mode before and after it. */
    public static <T> T run(Connection connection, Work<T> work) throws SQLException {
        LaneTransaction transaction = new LaneTransaction(connection);
        T result;
        connection.setAutoCommit(false);
        try {
            result = work.run(transaction);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            if (!undone(connection, e) && e instanceof AssertionError) {
                // pgjdbc throws this if the connection breaks between two responses of a batch
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
            cause.addSuppressed(e); // the connection is lost, which rolls back too
            return false;
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Registers work that runs after the commit, and not after a rollback. It must not throw. */
    public void afterCommit(Runnable work) {
        afterCommit.add(work);
    }

    /**
     * Counts events that the writer does not store, because their router has a newer session than the one that they
     * are of.
     */
    public void superseded(int events) {
        superseded += events;
    }

    /** Returns the number of events of superseded sessions. */
    long superseded() {
        return superseded;
    }

    /** Runs a part under a savepoint: if it fails, only its own changes are rolled back. */
    public <T> T part(Work<T> work) throws SQLException {
        int before = afterCommit.size();
        long supersededBefore = superseded;
        Savepoint savepoint = connection.setSavepoint();
        T result;
        try {
            result = work.run(this);
        } catch (SQLException | RuntimeException e) {
            afterCommit.subList(before, afterCommit.size()).clear();
            superseded = supersededBefore;
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
