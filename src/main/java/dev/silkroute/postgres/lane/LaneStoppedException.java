package dev.silkroute.postgres.lane;

import java.sql.SQLException;

/**
 * Records that are abandoned because their lane stops, while the database is unavailable or between two transactions.
 * Records that are already stored stay stored; the others are delivered again to the next reader.
 */
public final class LaneStoppedException extends SQLException {
    private static final long serialVersionUID = 1L;

    LaneStoppedException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
