package dev.silkroute.bmp;

/** The reasons for which a byte stream is not BMP. Nothing after the fault can be interpreted, so the session ends. */
public enum FramingFault {
    /** A version other than 3 and 4. */
    WRONG_VERSION("wrong-version"),
    /** A length smaller than the common header. */
    IMPOSSIBLE_LENGTH("impossible-length"),
    /** A length above the limit. */
    TOO_LONG("too-long");

    private final String text;

    FramingFault(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
