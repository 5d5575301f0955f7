package dev.silkroute.postgres.lane;

import java.sql.SQLException;

/**
 * Records that are given up because their lane stops: while the database can't take them, or between two transactions. What is stored
 * of them by then stays so; whoever reads on from where the lane stands gets the rest again.
 */
public final class LaneStoppedException extends SQLException {
    private static final long serialVersionUID = 1L;

    LaneStoppedException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
