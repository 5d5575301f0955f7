package dev.silkroute.bgp.attribute;

/** The origin of the NLRI (RFC 4271, Section 5.1.1). */
public enum Origin {
    IGP("igp"),
    EGP("egp"),
    INCOMPLETE("incomplete");

    private static final Origin[] ORIGINS = values();

    private final String text;

    Origin(String text) {
        this.text = text;
    }

    public int code() {
        return ordinal();
    }

    public String text() {
        return text;
    }

    /** @throws IllegalArgumentException if no origin has this code */
    public static Origin of(int code) {
        if (code < 0 || code >= ORIGINS.length) {
            throw new IllegalArgumentException(code + " is not an origin");
        }
        return ORIGINS[code];
    }
}
