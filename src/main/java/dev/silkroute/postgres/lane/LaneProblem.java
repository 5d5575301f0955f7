package dev.silkroute.postgres.lane;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Classifies failures to store records. */
final class LaneProblem {
    /** SQLSTATE query_canceled, for example by statement_timeout. */
    private static final String CANCELED = "57014";

    private LaneProblem() {}

    /** A transaction exceeded its {@linkplain LaneTiming#transactionLimit() limit}. */
    static final class TooLong extends SQLException {
        private static final long serialVersionUID = 1L;

        TooLong(SQLException cause) {
            super("transaction timed out: " + cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** Whether the transaction took too long, so that fewer records may succeed. */
    static boolean isTooMuch(SQLException e) {
        return e instanceof TooLong || CANCELED.equals(e.getSQLState());
    }

    /**
     * Whether the data is the cause, so that retrying would fail again: any exception that is not the database's, and
     * the SQLSTATE classes 22 (data exception), 23 (integrity constraint violation) and 54 (program limit exceeded).
     * Not a missing partition, which the next attempt creates: PostgreSQL reports it as a check violation without a
     * constraint.
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
        ServerErrorMessage error = e instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return error == null ? null : error.getConstraint();
    }
}
