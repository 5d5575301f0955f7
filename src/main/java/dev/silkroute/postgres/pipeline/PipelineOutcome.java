package dev.silkroute.postgres.pipeline;

/** The effect of a failed pipeline on the database. */
public enum PipelineOutcome {
    /** Everything was rolled back, or nothing was executed. The statements may be sent again. */
    NOTHING_APPLIED,
    /** The transaction was committed, but its results are incomplete. */
    APPLIED,
    /** It is unknown whether the transaction was committed: the connection was lost before the response to COMMIT. */
    UNKNOWN
}
