package dev.silkroute.postgres.copy;

/** What routers say, as PostgreSQL's text can hold it. */
public final class Text {
    private Text() {}

    /** The text without NUL, the one character that a text column refuses. */
    public static String clean(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }
}
