package dev.silkroute.postgres.pipeline;

import java.util.Locale;
import java.util.Set;

/**
 * The first keyword of a statement. It determines which statements cannot be part of a pipeline and which need no
 * BEGIN.
 */
final class FirstWord {
    /**
     * Statements that would end the transaction within the pipeline, so that a part of it could be applied, and COPY.
     */
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

    /** Statements that read or change rows. Unlike a procedure, they cannot end a transaction from within. */
    private static final Set<String> QUERIES =
            Set.of("select", "values", "table", "with", "insert", "update", "delete", "merge");

    private FirstWord() {}

    static boolean isQuery(String sql) {
        return QUERIES.contains(of(sql));
    }

    /** @throws IllegalArgumentException if the statement cannot be part of a pipeline */
    static void check(String sql) {
        String word = of(sql);
        if (word.isEmpty()) {
            throw new IllegalArgumentException("a statement is empty");
        }
        if (TRANSACTION.contains(word)) {
            throw new IllegalArgumentException(
                    word.toUpperCase(Locale.ROOT) + " cannot be part of a pipeline: " + Pipeline.shortened(sql));
        }
    }

    /** Returns the first keyword in lower case, after white space and comments. Block comments may be nested. */
    static String of(String sql) {
        char[] text = sql.toCharArray();
        int at = 0;
        while (at < text.length) {
            int next = SqlText.next(text, at);
            boolean isComment = next > at + 1 && (text[at] == '-' || text[at] == '/');
            if (!isComment && !Character.isWhitespace(text[at]) && text[at] != '(' && text[at] != ';') {
                break;
            }
            at = next;
        }
        int end = at;
        while (end < text.length && Character.isLetter(text[end])) {
            end++;
        }
        return end == at && at < text.length
                ? sql.substring(at, at + 1)
                : sql.substring(at, end).toLowerCase(Locale.ROOT);
    }
}
