package dev.silkroute.live;

import dev.silkroute.route.EventKind;

/** The types of messages: RIS Live's, and those for events that concern no peer and for alerts. */
enum MessageType {
    UPDATE,
    RIS_PEER_STATE,
    OPEN,
    NOTIFICATION,
    /** RIS Live's, which BMP does not report. */
    KEEPALIVE,
    /** The session of a router, or the start of a collector. */
    SESSION,
    /** A change of an alert. Subscribers receive it only if their filter has this type. */
    ALERT;

    static MessageType of(EventKind kind) {
        return switch (kind) {
            case ANNOUNCE, WITHDRAW, END_OF_RIB -> UPDATE;
            case PEER_UP, PEER_DOWN -> RIS_PEER_STATE;
            case SESSION_UP, SESSION_DOWN, COLLECTOR_START -> SESSION;
        };
    }
}
