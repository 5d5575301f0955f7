package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** The number of units, such as events, into which a record can be split; 1 if it is indivisible. */
    default int units(T value) {
        return 1;
    }

    /** Returns a record with a range of a record's units. */
    default T part(T value, int from, int to) {
        throw new UnsupportedOperationException("this writer cannot split records");
    }

    /**
     * Returns the source of a record, such as the router, by which the lane limits the time that records take that
     * could not be stored; null if unknown.
     */
    default @Nullable String source(T value) {
        return null;
    }

    /** Records in the transaction that Kafka has removed records before the lane has read them. */
    default void missed(LaneTransaction transaction, LaneGap gap) throws SQLException {}

    /** Returns whether {@link #setAside} is supported; otherwise one invalid record fails its whole transaction. */
    default boolean setsAside() {
        return false;
    }

    /** Stores elsewhere a record, or a part, that cannot be stored, so that later ones can be stored. */
    default void setAside(LaneTransaction transaction, LaneRecord<T> record, Exception problem) throws SQLException {
        throw new UnsupportedOperationException("this writer cannot set records aside");
    }
}
