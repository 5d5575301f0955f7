package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.BlockComment;

/** Finds the ends of quoted strings, quoted names, dollar-quoted strings and comments in SQL. */
final class SqlText {
    private SqlText() {}

    /**
     * Returns the index behind the quoted string or comment that begins at {@code from}, or {@code from} if none
     * does.
     */
    static int skip(String text, int from) {
        char first = text.charAt(from);
        if (first == '\'' || first == '"') {
            boolean escapes = first == '\''
                    && from > 0
                    && "eE".indexOf(text.charAt(from - 1)) >= 0
                    && isWordStart(text, from - 1);
            return quoted(text, from, first, escapes);
        }
        if (first == '$' && isWordStart(text, from)) {
            return dollarQuoted(text, from);
        }
        if (text.startsWith("--", from)) {
            int end = text.indexOf('\n', from);
            return end < 0 ? text.length() : end;
        }
        return text.startsWith("/*", from) ? BlockComment.end(text, from) : from;
    }

    private static boolean isWordStart(String text, int at) {
        return at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)) && "_$".indexOf(text.charAt(at - 1)) < 0;
    }

    private static int quoted(String text, int from, char quote, boolean escapes) {
        int at = from + 1;
        while (at < text.length()) {
            if (escapes && text.charAt(at) == '\\') {
                at += 2;
            } else if (text.charAt(at) != quote) {
                at++;
            } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
                at += 2;
            } else {
                return at + 1;
            }
        }
        return text.length();
    }

    /** Skips {@code $$…$$} or {@code $tag$…$tag$}; {@code $1} is a parameter. */
    private static int dollarQuoted(String text, int from) {
        int end = from + 1;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        if (end == text.length() || text.charAt(end) != '$' || Character.isDigit(text.charAt(from + 1))) {
            return from;
        }
        String tag = text.substring(from, end + 1);
        int close = text.indexOf(tag, end + 1);
        return close < 0 ? text.length() : close + tag.length();
    }
}
