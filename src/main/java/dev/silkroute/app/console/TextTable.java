package dev.silkroute.app.console;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lays out rows of strings in aligned columns, in the format of {@code psql}. Widths count code points, so a table with
 * characters outside the Basic Multilingual Plane stays aligned.
 */
public final class TextTable {
    private final List<Column> columns;
    private final int[] widths;

    /** A column; numeric ones are aligned to the right. */
    public record Column(String header, boolean numeric) {}

    /** Makes each column as wide as its header and its widest value in the given rows. */
    public TextTable(List<Column> columns, List<List<String>> rows) {
        this.columns = List.copyOf(columns);
        widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(columns.get(i).header());
            for (var row : rows) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
    }

    /** Returns a whole table: the header and all rows. */
    public static String of(List<Column> columns, List<List<String>> rows) {
        var table = new TextTable(columns, rows);
        return table.header() + rows.stream().map(table::line).collect(Collectors.joining());
    }

    /**
     * Returns a whole table, or, if its lines would be longer than a terminal's, each row as a list of headers and
     * values as {@code psql} does in its expanded mode. Empty values are left out there.
     *
     * @param width the number of columns of the terminal, 0 for no limit
     */
    public static String of(List<Column> columns, List<List<String>> rows, int width) {
        var table = new TextTable(columns, rows);
        if (width == 0 || IntStream.of(table.widths).map(column -> column + 3).sum() - 1 <= width) {
            return of(columns, rows);
        }
        var text = new StringBuilder();
        int headers = columns.stream()
                .mapToInt(column -> width(column.header()))
                .max()
                .orElse(0);
        for (int i = 0; i < rows.size(); i++) {
            var head = "-[ " + (i + 1) + " ]";
            text.append(head)
                    .repeat("-", Math.max(0, Math.min(width, headers + 40) - head.length()))
                    .append('\n');
            for (int j = 0; j < columns.size(); j++) {
                var header = columns.get(j).header();
                if (!rows.get(i).get(j).isEmpty()) {
                    text.append(header)
                            .repeat(" ", headers - width(header))
                            .append(" | ")
                            .append(rows.get(i).get(j))
                            .append('\n');
                }
            }
        }
        return text.toString();
    }

    /** Returns the line of headers and the rule below it. */
    String header() {
        var rule = new StringBuilder();
        for (int width : widths) {
            rule.append(rule.isEmpty() ? "" : "+").repeat("-", width + 2);
        }
        return line(columns.stream().map(Column::header).toList()) + rule + "\n";
    }

    String line(List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            var value = row.get(i);
            var padding = " ".repeat(Math.max(0, widths[i] - width(value)));
            line.append(i == 0 ? " " : "| ")
                    .append(columns.get(i).numeric() ? padding + value : value + padding)
                    .append(' ');
        }
        return line.toString().stripTrailing() + "\n";
    }

    private static int width(String value) {
        return value.codePointCount(0, value.length());
    }
}
