package dev.silkroute.rpki;

import org.jspecify.annotations.Nullable;

/**
 * The validation state of a route (RFC 6811, Section 2). The header {@value #HEADER} of a message whose body is a route
 * batch holds one code for each event, in the order of the batch. Codes are stable: add new ones at the end, never
 * renumber.
 */
public enum Validity {
    /** A VRP covers the prefix, allows its length and has the route's origin AS. */
    VALID("valid"),
    /** VRPs cover the prefix, but none of them allows this length with this origin AS. */
    INVALID("invalid"),
    /** No VRP covers the prefix. */
    NOT_FOUND("not-found");

    /** Name of the header, and of the field in JSON. */
    public static final String HEADER = "rpki_validity";

    private static final Validity[] STATES = values();

    private final String text;

    Validity(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Returns the code, from 1. 0 stands for an event without a validity. */
    public byte code() {
        return (byte) (ordinal() + 1);
    }

    /** Returns the validity of a code; null for 0 and for an unknown one. */
    public static @Nullable Validity of(int code) {
        return code > 0 && code <= STATES.length ? STATES[code - 1] : null;
    }
}
