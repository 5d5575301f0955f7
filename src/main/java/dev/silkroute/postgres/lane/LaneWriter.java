package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes the rows of a lane's records. Usable by several threads at once, each with its own connection.
 *
 * @param <T> the type of the records' values
 */
public interface LaneWriter<T> {
    /**
     * Prepares what the records refer to and what may be kept if their transaction fails.
     *
     * @param connection in auto-commit mode, which it keeps
     * @param records in the order of their topic
     * @return writes all records
     */
    Prepared prepare(Connection connection, List<LaneRecord<T>> records) throws SQLException;

    /** The size of a record in bytes if known, for {@link LaneParts}. */
    default long bytes(T value) {
        return value instanceof byte[] bytes ? bytes.length : 0;
    }

    /** The approximate maximum number of rows of a record, for {@link LaneParts}. */
    default long rows(T value) {
        return 1;
    }

    /** Whether {@link #setAside} is supported; otherwise one invalid record fails its whole transaction. */
    default boolean setsAside() {
        return false;
    }

    /** Stores an invalid record elsewhere, so that later ones can be stored. */
    default void setAside(LaneTransaction transaction, LaneRecord<T> record, Exception problem) throws SQLException {
        throw new UnsupportedOperationException("this writer cannot set records aside");
    }
}
