package dev.silkroute.postgres.pipeline;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A flight that failed: which statement of it, why, and what is left of it in the database. */
public final class FlightException extends SQLException {
    /** {@link #statement()} where the failure is none of a statement. */
    public static final int NO_STATEMENT = -1;

    private static final long serialVersionUID = 1;

    private final Outcome outcome;
    private final int statement;

    FlightException(
            String message, @Nullable String sqlState, Outcome outcome, int statement, @Nullable Throwable cause) {
        super(message, sqlState, cause);
        this.outcome = outcome;
        this.statement = statement;
    }

    static FlightException nothing(String message, @Nullable String sqlState, @Nullable Throwable cause) {
        return new FlightException(message, sqlState, Outcome.NOTHING_APPLIED, NO_STATEMENT, cause);
    }

    public Outcome outcome() {
        return outcome;
    }

    /** The statement's place in its flight, from 0, or {@link #NO_STATEMENT}. */
    public int statement() {
        return statement;
    }
}
