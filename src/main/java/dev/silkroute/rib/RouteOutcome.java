package dev.silkroute.rib;

/** The effect of an event of a batch on the RIB. */
public enum RouteOutcome {
    /** The event concerns a peer, a table or a session, not a route. */
    STATE,
    /** The route did not exist. */
    NEW,
    /** The route existed with other attributes, labels or marking: an implicit withdrawal. */
    CHANGED,
    /** The route existed unchanged, announced by an older session; it is no longer stale. */
    CONFIRMED,
    /** The session had announced the route already, unchanged. */
    UNCHANGED,
    /** The route was removed. */
    WITHDRAWN,
    /** A withdrawal of a route that does not exist. */
    UNKNOWN,
    /** The event is of an older session than the newest one of its router, or was redecoded. */
    IGNORED,
    /**
     * There is no memory or no table for the route. If it existed before, it was removed, because its old state is
     * wrong now.
     */
    REJECTED;

    private static final RouteOutcome[] OUTCOMES = values();

    static RouteOutcome of(int code) {
        return OUTCOMES[code];
    }

    public byte code() {
        return (byte) ordinal();
    }
}
