package dev.silkroute.rpki;

/** The validation state of a route (RFC 6811, Section 2). */
public enum Validity {
    /** A VRP covers the prefix, allows its length and has the route's origin AS. */
    VALID("valid"),
    /** VRPs cover the prefix, but none of them allows this length with this origin AS. */
    INVALID("invalid"),
    /** No VRP covers the prefix. */
    NOT_FOUND("not-found");

    private final String text;

    Validity(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
