package dev.silkroute.postgres;

import java.sql.SQLException;

/**
 * Records that are given up because their lane stops while the database can't take them. Nothing of them is stored; whoever reads on
 * from where the lane stands gets them again.
 */
public final class LaneStoppedException extends SQLException {
    private static final long serialVersionUID = 1L;

    LaneStoppedException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
