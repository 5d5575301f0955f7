package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.SqlText;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement with named parameters in PostgreSQL's form: each name is replaced by a number, the same wherever the name
 * occurs. Quoted strings and comments are left unchanged.
 *
 * @param sql with {@code $1}, {@code $2}, …
 * @param names of the parameters in the order of their numbers; {@code ${…}} is an expression in Camel's simple
 * language
 */
record NamedStatement(String sql, List<String> names) {
    private static final String MARK = ":#";

    /** Splits a text at the semicolons between its statements. */
    static List<NamedStatement> split(String text) {
        List<NamedStatement> statements = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        List<String> names = new ArrayList<>();
        char[] chars = text.toCharArray();
        int at = 0;
        while (at < chars.length) {
            int after = SqlText.next(chars, at);
            if (chars[at] == ';') {
                add(statements, sql, names);
            } else if (text.startsWith(MARK, at)) {
                after = nameEnd(text, at + MARK.length());
                sql.append('$').append(number(names, text.substring(at + MARK.length(), after)));
            } else {
                sql.append(text, at, after);
            }
            at = after;
        }
        add(statements, sql, names);
        return statements;
    }

    private static void add(List<NamedStatement> statements, StringBuilder sql, List<String> names) {
        if (!sql.toString().isBlank()) {
            statements.add(new NamedStatement(sql.toString().strip(), List.copyOf(names)));
        }
        sql.setLength(0);
        names.clear();
    }

    private static int number(List<String> names, String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            names.add(name);
            index = names.size() - 1;
        }
        return index + 1;
    }

    private static int nameEnd(String text, int from) {
        if (text.startsWith("${", from)) {
            int depth = 0;
            for (int at = from + 1; at < text.length(); at++) {
                depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
                if (depth == 0) {
                    return at + 1;
                }
            }
            throw new IllegalArgumentException("an expression is not closed: " + text.substring(from));
        }
        int at = from;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "_.-".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (at == from) {
            throw new IllegalArgumentException("a parameter has no name: " + text.substring(Math.max(0, from - 20)));
        }
        return at;
    }
}
