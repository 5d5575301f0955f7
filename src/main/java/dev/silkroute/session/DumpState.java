package dev.silkroute.session;

/** The state of the tables that a router sends initially in a session. */
public enum DumpState {
    /** No table of a peer that is up has begun. */
    NOT_BEGUN,
    /** A table is incomplete, or a peer that is up has none yet. */
    IN_PROGRESS,
    /** Each peer that is up has a table, and End-of-RIB has been received or generated for all of them. */
    COMPLETE
}
