package dev.silkroute.postgres.lane;

import java.sql.SQLException;

/** What only needs to be written. */
@FunctionalInterface
public interface Prepared {
    /**
     * Writes all of it, in a transaction of the caller's.
     *
     * @return how many rows were written
     */
    long write(LaneTransaction transaction) throws SQLException;
}
