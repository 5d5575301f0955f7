package dev.silkroute.postgres.lane;

import java.sql.SQLException;

/** Prepared records that only need to be written. */
@FunctionalInterface
public interface Prepared {
    /**
     * Writes all records in the caller's transaction.
     *
     * @return the number of rows written
     */
    long write(LaneTransaction transaction) throws SQLException;
}
