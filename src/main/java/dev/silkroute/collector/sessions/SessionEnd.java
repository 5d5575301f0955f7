package dev.silkroute.collector.sessions;

import dev.silkroute.bmp.FramingFault;

/** Why sessions end, as the meters name it; log and records say more. */
public enum SessionEnd {
    CLOSED("closed"),
    CLOSED_INSIDE_MESSAGE("closed-inside-message"),
    LOST("lost"),
    WRONG_VERSION("wrong-version"),
    IMPOSSIBLE_LENGTH("impossible-length"),
    TOO_LONG("too-long"),
    /** A message was begun, or not even the first one, and no byte came for too long. */
    INCOMPLETE_MESSAGE("incomplete-message"),
    /** Incomplete messages of all sessions held too much, and this session's was the oldest. */
    NO_ROOM("no-room"),
    /** The router has begun another session from the same address. */
    SUPERSEDED("superseded"),
    /** A balancer's connection that didn't begin with whose it is. */
    NO_PROXY_HEADER("no-proxy-header"),
    /** A connection that didn't begin with TLS, or on which it failed, as without the certificate that is asked for. */
    NO_TLS("no-tls"),
    /** The router's address is not among those that may connect. */
    NOT_ALLOWED("not-allowed");

    private final String text;

    SessionEnd(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public static SessionEnd of(FramingFault fault) {
        return switch (fault) {
            case WRONG_VERSION -> WRONG_VERSION;
            case IMPOSSIBLE_LENGTH -> IMPOSSIBLE_LENGTH;
            case TOO_LONG -> TOO_LONG;
        };
    }
}
