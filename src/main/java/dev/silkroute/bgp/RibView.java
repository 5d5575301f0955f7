package dev.silkroute.bgp;

import java.util.Arrays;

/** The five tables of a router that BMP can report (RFC 7854, RFC 8671, RFC 9069). */
public enum RibView {
    ADJ_RIB_IN_PRE_POLICY(0, "adj-rib-in-pre"),
    ADJ_RIB_IN_POST_POLICY(1, "adj-rib-in-post"),
    ADJ_RIB_OUT_PRE_POLICY(2, "adj-rib-out-pre"),
    ADJ_RIB_OUT_POST_POLICY(3, "adj-rib-out-post"),
    LOC_RIB(4, "loc-rib");

    private static final RibView[] VIEWS = values();

    private final int code;
    private final String text;

    RibView(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The number in the wire format and in the database. */
    public int code() {
        return code;
    }

    public String text() {
        return text;
    }

    public boolean adjRibOut() {
        return this == ADJ_RIB_OUT_PRE_POLICY || this == ADJ_RIB_OUT_POST_POLICY;
    }

    /** @throws IllegalArgumentException if no view has this {@link #text} */
    public static RibView of(String text) {
        return Arrays.stream(VIEWS)
                .filter(view -> view.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a RIB view"));
    }

    /** @throws IllegalArgumentException if no view has this code */
    public static RibView of(int code) {
        if (code < 0 || code >= VIEWS.length) {
            throw new IllegalArgumentException(code + " is not a RIB view");
        }
        return VIEWS[code];
    }
}
