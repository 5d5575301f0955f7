package dev.silkroute.postgres.copy;

/** Strings from routers, in the form that PostgreSQL can store. */
public final class Text {
    private Text() {}

    /** Returns the string without NUL, the one character that a text column rejects. */
    public static String clean(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }
}
