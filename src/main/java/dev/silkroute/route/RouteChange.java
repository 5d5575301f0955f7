package dev.silkroute.route;

/**
 * The effect of an event on a RIB that has seen all events of the router before it. The Kafka header {@value #HEADER}
 * of a {@code bmp.routes} record holds one code for each event, in the order of the batch. Codes are part of the wire
 * format: add new ones at the end, never renumber.
 */
public enum RouteChange {
    /** The event is not a route's, or its effect is not reported. */
    NOT_REPORTED(""),
    /** The route did not exist. */
    NEW("new"),
    /**
     * The route existed with another AS path or next hop, which this announcement replaces (RFC 4271, Section 9.1.4).
     */
    IMPLICIT_WITHDRAW("implicit-withdraw"),
    /** The route existed with the same AS path and next hop, but with other attributes, labels or path marking. */
    ATTRIBUTES("attributes"),
    /** The same session had announced the identical route. */
    NONE("none"),
    /** An older session had announced the identical route, which is fresh again. */
    CONFIRMED("confirmed"),
    /** The route has been withdrawn. */
    WITHDRAW("withdraw"),
    /** A withdrawal of a route that did not exist. */
    UNKNOWN("unknown"),
    /** The event is from an older session than the one that reports the peer now. */
    IGNORED("ignored"),
    /** The RIB had no memory for the route. Changes reported for it later may be wrong. */
    REJECTED("rejected");

    /** Name of the Kafka header. */
    public static final String HEADER = "changes";

    private static final RouteChange[] CHANGES = values();

    private final String text;

    RouteChange(String text) {
        this.text = text;
    }

    public byte code() {
        return (byte) ordinal();
    }

    /** Name in JSON and docs; empty for {@link #NOT_REPORTED}. */
    public String text() {
        return text;
    }

    /** Returns the change of a code, {@link #NOT_REPORTED} for an unknown one. */
    public static RouteChange of(int code) {
        return code >= 0 && code < CHANGES.length ? CHANGES[code] : NOT_REPORTED;
    }
}
