package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes rows of a lane's records. Usable by several threads at once, each with its own connection.
 *
 * @param <T> what the records' values are
 */
public interface LaneWriter<T> {
    /**
     * Sees to what the records need and what may outlive them.
     *
     * @param connection in auto-commit mode, as it is to stay
     * @param records in the order of their topic
     * @return writes all of them
     */
    Prepared prepare(Connection connection, List<LaneRecord<T>> records) throws SQLException;

    /** How many bytes a record holds, as far as that is known: transactions are cut by it ({@link LaneParts}). */
    default long bytes(T value) {
        return value instanceof byte[] bytes ? bytes.length : 0;
    }

    /** How many rows a record may make at most, about; the same. */
    default long rows(T value) {
        return 1;
    }

    /** Whether {@link #setAside} has a place for records that can't be stored; otherwise one of them fails all. */
    default boolean setsAside() {
        return false;
    }

    /** Puts a record where it is out of the way, so that those behind it can be stored. */
    default void setAside(LaneTransaction transaction, LaneRecord<T> record, Exception problem) throws SQLException {
        throw new UnsupportedOperationException("there is no place for records that can't be stored");
    }
}
