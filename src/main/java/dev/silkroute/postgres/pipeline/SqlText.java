package dev.silkroute.postgres.pipeline;

import org.postgresql.core.Parser;

/** Finds the ends of quoted strings, quoted names, dollar-quoted strings and comments in SQL, by pgjdbc's parser. */
public final class SqlText {
    private SqlText() {}

    /** Returns the index after the quoted text or comment that begins at {@code from}, or after this character. */
    public static int next(char[] sql, int from) {
        int last = switch (sql[from]) {
            case '\'' -> Parser.parseSingleQuotes(sql, from, true);
            case '"' -> Parser.parseDoubleQuotes(sql, from);
            case '$' -> Parser.parseDollarQuotes(sql, from);
            case '-' -> Parser.parseLineComment(sql, from);
            case '/' -> Parser.parseBlockComment(sql, from);
            default -> from;
        };
        return Math.min(last + 1, sql.length);
    }
}
