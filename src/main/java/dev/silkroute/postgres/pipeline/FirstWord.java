package dev.silkroute.postgres.pipeline;

import java.util.Locale;
import java.util.Set;

/** The first word of a statement, which says what kind it is: some can't be part of a flight. */
final class FirstWord {
    /** A flight begins and ends its transaction itself: one that ended in its middle would be half applied. */
    private static final Set<String> TRANSACTION = Set.of(
            "begin",
            "start",
            "commit",
            "end",
            "rollback",
            "abort",
            "savepoint",
            "release",
            "prepare",
            "execute",
            "copy");

    /** What reads or changes rows, and can't end a transaction from within as a procedure can. */
    private static final Set<String> QUERIES =
            Set.of("select", "values", "table", "with", "insert", "update", "delete", "merge");

    private FirstWord() {}

    static boolean isQuery(String sql) {
        return QUERIES.contains(of(sql));
    }

    /** @throws IllegalArgumentException if the statement can't be part of a flight */
    static void check(String sql) {
        String word = of(sql);
        if (word.isEmpty()) {
            throw new IllegalArgumentException("a statement is empty");
        }
        if (TRANSACTION.contains(word)) {
            throw new IllegalArgumentException(
                    word.toUpperCase(Locale.ROOT) + " can't be part of a flight: " + Flight.shortened(sql));
        }
    }

    /** In lower case; behind white space and comments, of which SQL's block comments may be nested. */
    static String of(String sql) {
        int at = 0;
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at)) || sql.charAt(at) == '(' || sql.charAt(at) == ';') {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end;
            } else if (sql.startsWith("/*", at)) {
                at = BlockComment.end(sql, at);
            } else {
                break;
            }
        }
        int end = at;
        while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
            end++;
        }
        return end == at && at < sql.length()
                ? sql.substring(at, at + 1)
                : sql.substring(at, end).toLowerCase(Locale.ROOT);
    }
}
