package dev.silkroute.bgp.open;

/** The directions in which a side of a session supports ADD-PATH for a family (RFC 7911, Section 4). */
public enum AddPathMode {
    NONE("none"),
    RECEIVE("receive"),
    SEND("send"),
    BOTH("both");

    private static final AddPathMode[] MODES = values();

    private final String text;

    AddPathMode(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public boolean receives() {
        return this == RECEIVE || this == BOTH;
    }

    public boolean sends() {
        return this == SEND || this == BOTH;
    }

    /** Returns the mode of a code; codes other than 1, 2 and 3 must be ignored. */
    public static AddPathMode of(int code) {
        return code < MODES.length ? MODES[code] : NONE;
    }
}
