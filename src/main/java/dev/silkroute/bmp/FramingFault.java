package dev.silkroute.bmp;

/** Why a byte stream is no BMP any more. Nothing after it can be trusted: the session ends. */
public enum FramingFault {
    WRONG_VERSION("wrong-version"),
    IMPOSSIBLE_LENGTH("impossible-length"),
    TOO_LONG("too-long");

    private final String text;

    FramingFault(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
