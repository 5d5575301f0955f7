package dev.silkroute.postgres.lane;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What to do about records that could not be stored. */
final class LaneProblem {
    /** SQLSTATE query_canceled: the server's own limit of a statement. */
    private static final String CANCELED = "57014";

    private LaneProblem() {}

    /** That a transaction has met its {@linkplain LaneTiming#transactionLimit() limit}. */
    static final class TooLong extends SQLException {
        private static final long serialVersionUID = 1L;

        TooLong(SQLException cause) {
            super("a transaction took too long: " + cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** Whether it took too long, so that fewer records may do. */
    static boolean isTooMuch(SQLException e) {
        return e instanceof TooLong || CANCELED.equals(e.getSQLState());
    }

    /**
     * Whether trying again would fail again: whatever isn't the database's, and SQLSTATE classes 22 (data exception), 23
     * (constraint) and 54 (a limit of the program), but not a missing partition, which the next try makes. That has the
     * SQLSTATE of a check constraint, but no constraint.
     */
    static boolean isTheData(Exception e) {
        if (!(e instanceof SQLException sql)) {
            return true;
        }
        String state = sql.getSQLState() == null ? "" : sql.getSQLState();
        return state.startsWith("22")
                || state.startsWith("54")
                || state.startsWith("23") && (!state.equals("23514") || constraintOf(sql) != null);
    }

    private static @Nullable String constraintOf(SQLException e) {
        ServerErrorMessage said = e instanceof PSQLException answer ? answer.getServerErrorMessage() : null;
        return said == null ? null : said.getConstraint();
    }
}
