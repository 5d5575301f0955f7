package dev.silkroute.collector.sessions;

import dev.silkroute.bmp.FramingFault;

/** The reasons for the end of a session or connection: label {@code reason} of {@code bmp_sessions_ended_total}. */
public enum SessionEnd {
    /** The router has closed the connection between two messages. */
    CLOSED("closed"),
    /** The router has closed the connection in the middle of a message. */
    CLOSED_INSIDE_MESSAGE("closed-inside-message"),
    /** The connection failed, for instance by a reset. */
    LOST("lost"),
    /** A common header has a version other than 3 and 4. */
    WRONG_VERSION("wrong-version"),
    /** A common header has a length smaller than itself. */
    IMPOSSIBLE_LENGTH("impossible-length"),
    /** A message is longer than the configured limit. */
    TOO_LONG("too-long"),
    /** No byte came for too long although a message was incomplete, or before the first message. */
    INCOMPLETE_MESSAGE("incomplete-message"),
    /** The incomplete messages of all sessions exceeded their bound, and this session's was the oldest. */
    NO_ROOM("no-room"),
    /** The router has sent a Termination message. */
    TERMINATED("terminated"),
    /** The router has opened another session from the same address. */
    SUPERSEDED("superseded"),
    /** Records of the session are missing behind the collector, so the router is made to send its tables again. */
    RESYNC("resync"),
    /** A connection from a load balancer did not begin with a PROXY protocol header. */
    NO_PROXY_HEADER("no-proxy-header"),
    /** A connection did not begin with TLS, or its handshake failed. */
    NO_TLS("no-tls"),
    /** The router's certificate is expired, revoked, of an authority that is not trusted, or without a name. */
    INVALID_CERTIFICATE("invalid-certificate"),
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
