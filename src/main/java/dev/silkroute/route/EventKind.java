package dev.silkroute.route;

/** What an event of a {@link RouteBatch} says. Codes are part of the wire format: add, never renumber. */
public enum EventKind {
    WITHDRAW,
    ANNOUNCE,
    END_OF_RIB,
    PEER_UP,
    PEER_DOWN,
    SESSION_UP,
    SESSION_DOWN,
    /** A collector has begun: sessions of its name with a smaller id ended with the one before it. From version 3 on. */
    COLLECTOR_START;

    private static final EventKind[] KINDS = values();

    public int code() {
        return ordinal();
    }

    /** Whether the event carries NLRI. */
    public boolean isRoute() {
        return this == WITHDRAW || this == ANNOUNCE;
    }

    /** Whether the event speaks of a peer. */
    public boolean hasPeer() {
        return this != SESSION_UP && this != SESSION_DOWN && this != COLLECTOR_START;
    }

    /** The kind of a code that is one. */
    static EventKind at(int code) {
        return KINDS[code];
    }

    /** The kind of a code; {@code offset} is where it was read, for the error. */
    static EventKind of(int code, int offset) {
        if (code < 0 || code >= KINDS.length) {
            throw new WireFormatException("unknown event kind " + code, offset);
        }
        return KINDS[code];
    }
}
