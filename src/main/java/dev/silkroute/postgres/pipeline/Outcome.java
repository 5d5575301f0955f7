package dev.silkroute.postgres.pipeline;

/** What a flight that failed has left in the database. */
public enum Outcome {
    /** Nothing: all of it was rolled back, or it never began. It may be sent again. */
    NOTHING_APPLIED,
    /** All of it: the transaction was committed, only its answers are not whole. */
    APPLIED,
    /** All or nothing, but which of them is not known: the connection was lost before the answer to the COMMIT. */
    UNKNOWN
}
