package dev.silkroute.route;

/**
 * What an event of a batch has changed, as far as a RIB that is told of all of them knows. A record of {@code bmp.routes} says it in the header
 * {@value #HEADER}: a byte for each event, in the batch's order. Codes are part of the wire format: add, never renumber.
 */
public enum RouteChange {
    /** The event is no route's, or it isn't told. */
    UNTOLD(""),
    /** The route wasn't there. */
    NEW("new"),
    /** The route was there by another AS path or next hop, which are gone with this (RFC 4271, Section 9.1.4). */
    IMPLICIT_WITHDRAW("implicit-withdraw"),
    /** The route was there by the same AS path and next hop, with other attributes, labels or path marking. */
    ATTRIBUTES("attributes"),
    /** The session had announced the route as it is. */
    NONE("none"),
    /** The route was there as it is, of an older session: it is fresh again. */
    CONFIRMED("confirmed"),
    /** The route is gone. */
    WITHDRAW("withdraw"),
    /** A withdrawal of a route that wasn't there. */
    UNKNOWN("unknown"),
    /** Of an older session than the one that speaks for the peer now. */
    IGNORED("ignored"),
    /** The RIB has no memory for the route: what comes of it is told wrongly. */
    LACKING("lacking");

    /** The header of a record of {@code bmp.routes}. */
    public static final String HEADER = "changes";

    private static final RouteChange[] CHANGES = values();

    private final String text;

    RouteChange(String text) {
        this.text = text;
    }

    public byte code() {
        return (byte) ordinal();
    }

    /** As JSON and docs have it; empty if nothing is told. */
    public String text() {
        return text;
    }

    /** The change of a code; one that isn't known here tells nothing. */
    public static RouteChange of(int code) {
        return code >= 0 && code < CHANGES.length ? CHANGES[code] : UNTOLD;
    }
}
