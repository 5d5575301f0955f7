package dev.silkroute.rib;

/** What an event of a batch did to the RIB. */
public enum RouteOutcome {
    /** Not a route's event: a peer, a table or a session begins or ends. */
    STATE,
    /** The route wasn't there. */
    NEW,
    /** The route was there with other attributes, labels or marking: an implicit withdrawal. */
    CHANGED,
    /** The route was there as it is, of an older session: it is fresh again. */
    CONFIRMED,
    /** The session had announced the route as it is. */
    UNCHANGED,
    /** The route is gone. */
    WITHDRAWN,
    /** A withdrawal of a route that isn't there. */
    UNKNOWN,
    /** Of an older session than the one that speaks for the peer now, or decoded again: says nothing of the present. */
    IGNORED,
    /** There is no memory for the route; if it was there before, it is gone, for what it was is wrong now. */
    REFUSED;

    private static final RouteOutcome[] OUTCOMES = values();

    static RouteOutcome of(int code) {
        return OUTCOMES[code];
    }

    public byte code() {
        return (byte) ordinal();
    }
}
