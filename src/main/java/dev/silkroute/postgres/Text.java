package dev.silkroute.postgres;

/** What routers say, as PostgreSQL's text can hold it. */
final class Text {
    private Text() {}

    /** The text without NUL, the one character that a text column refuses. */
    static String clean(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }
}
