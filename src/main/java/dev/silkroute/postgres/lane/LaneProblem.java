package dev.silkroute.postgres.lane;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Classifies failures to store records. */
final class LaneProblem {
    /** SQLSTATE query_canceled, for example by statement_timeout. */
    private static final String CANCELED = "57014";

    /** SQLSTATE out_of_memory. */
    private static final String OUT_OF_MEMORY = "53200";
    /** SQLSTATE configuration_limit_exceeded, for example of temp_file_limit. */
    private static final String LIMIT_EXCEEDED = "53400";

    private LaneProblem() {}

    /** A transaction exceeded its {@linkplain LaneTiming#transactionLimit() limit}. */
    static final class TooLong extends SQLException {
        private static final long serialVersionUID = 1L;

        TooLong(SQLException cause) {
            super("transaction timed out: " + cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** An earlier attempt has stored a part of a record, so the record cannot be stored together with others. */
    static final class PartlyStored extends SQLException {
        private static final long serialVersionUID = 1L;

        PartlyStored() {
            super("a part of a record is already stored");
        }
    }

    /** Returns whether the transaction took too long or needed too much memory, so that fewer records may succeed. */
    static boolean isTooMuch(Exception e) {
        return e instanceof SQLException sql
                && (e instanceof TooLong
                        || CANCELED.equals(sql.getSQLState())
                        || OUT_OF_MEMORY.equals(sql.getSQLState())
                        || LIMIT_EXCEEDED.equals(sql.getSQLState()));
    }

    /** Returns whether one of the records, or their number, is the cause rather than the state of the database. */
    static boolean isTheRecords(Exception e) {
        return !(e instanceof LaneRejectedException) && (isTooMuch(e) || isTheData(e));
    }

    /**
     * Returns whether the data is the cause, so that retrying would fail again: any exception that is not the
     * database's, and the SQLSTATE classes 22 (data exception), 23 (integrity constraint violation) and 54 (program
     * limit exceeded). Not a missing partition, which the next attempt creates: PostgreSQL reports it as a check
     * violation without a constraint.
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
