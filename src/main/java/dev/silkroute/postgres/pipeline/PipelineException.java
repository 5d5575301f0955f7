package dev.silkroute.postgres.pipeline;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A pipeline that failed: which statement, why, and the effect on the database. */
public final class PipelineException extends SQLException {
    /** {@link #statement()} if the failure does not belong to a statement. */
    public static final int NO_STATEMENT = -1;

    private static final long serialVersionUID = 1;

    private final PipelineOutcome outcome;
    private final int statement;

    PipelineException(
            String message,
            @Nullable String sqlState,
            PipelineOutcome outcome,
            int statement,
            @Nullable Throwable cause) {
        super(message, sqlState, cause);
        this.outcome = outcome;
        this.statement = statement;
    }

    static PipelineException nothing(String message, @Nullable String sqlState, @Nullable Throwable cause) {
        return new PipelineException(message, sqlState, PipelineOutcome.NOTHING_APPLIED, NO_STATEMENT, cause);
    }

    public PipelineOutcome outcome() {
        return outcome;
    }

    /** Returns the statement's position in its pipeline, from 0, or {@link #NO_STATEMENT}. */
    public int statement() {
        return statement;
    }
}
