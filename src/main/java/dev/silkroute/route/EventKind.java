package dev.silkroute.route;

/**
 * The kind of an event of a {@link RouteBatch}. Codes are part of the wire format: add new ones at the end, never
 * renumber.
 */
public enum EventKind {
    WITHDRAW,
    ANNOUNCE,
    END_OF_RIB,
    PEER_UP,
    PEER_DOWN,
    SESSION_UP,
    SESSION_DOWN,
    /** A collector has started: all sessions of that collector with a smaller session ID are over. */
    COLLECTOR_START;

    private static final EventKind[] KINDS = values();

    public int code() {
        return ordinal();
    }

    /** Returns whether the event carries an NLRI. */
    public boolean isRoute() {
        return this == WITHDRAW || this == ANNOUNCE;
    }

    /** Returns whether the event belongs to a peer rather than to the whole session or collector. */
    public boolean hasPeer() {
        return this != SESSION_UP && this != SESSION_DOWN && this != COLLECTOR_START;
    }

    /** Returns the kind of a valid code. */
    static EventKind at(int code) {
        return KINDS[code];
    }

    /**
     * Returns the kind of a code.
     *
     * @param offset where the code was read, for the error
     * @throws WireFormatException if no kind has this code
     */
    static EventKind of(int code, int offset) {
        if (code < 0 || code >= KINDS.length) {
            throw new WireFormatException("unknown event kind " + code, offset);
        }
        return KINDS[code];
    }
}
