package dev.silkroute.rpki;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying an AS path by ASPAs (draft-ietf-sidrops-aspa-verification, Section 6). The header {@value
 * #HEADER} of a message whose body is a route batch holds one code for each event, in the order of the batch. Codes are
 * stable: add new ones at the end, never renumber.
 */
public enum AspaVerdict {
    /** ASPAs attest each step of the path to a provider, up from the origin and, if it may, down to the router. */
    VALID("valid"),
    /** ASPAs prove that an AS has sent the route to a neighbor to which it must not send it, or the path is forged. */
    INVALID("invalid"),
    /** ASPAs that would prove either do not exist. */
    UNKNOWN("unknown");

    /** Name of the header, and of the field in JSON. */
    public static final String HEADER = "aspa";

    private static final AspaVerdict[] VERDICTS = values();

    private final String text;

    AspaVerdict(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** Returns the code, from 1. 0 stands for an event without a verdict. */
    public byte code() {
        return (byte) (ordinal() + 1);
    }

    /** Returns the verdict of a code; null for 0 and for an unknown one. */
    public static @Nullable AspaVerdict of(int code) {
        return code > 0 && code <= VERDICTS.length ? VERDICTS[code - 1] : null;
    }
}
