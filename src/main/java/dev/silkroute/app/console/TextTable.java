package dev.silkroute.app.console;

import java.util.List;

/** Lays out rows of text as a table; numbers stand to the right. */
public final class TextTable {
    private final List<String> headers;
    private final boolean[] numeric;
    private final int[] widths;

    /** Columns as wide as their header and the widest of the given rows. */
    public TextTable(List<String> headers, boolean[] numeric, List<List<String>> rows) {
        this.headers = List.copyOf(headers);
        this.numeric = numeric.clone();
        this.widths = new int[headers.size()];
        measure(headers);
        rows.forEach(this::measure);
    }

    /** Headers and the rule below them. */
    public String head() {
        var text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : "+").append("-".repeat(widths[i] + 2));
        }
        return line(headers) + text + "\n";
    }

    public String line(List<String> row) {
        var text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            var value = row.get(i);
            var space = " ".repeat(Math.max(0, widths[i] - length(value)));
            text.append(i == 0 ? " " : "| ")
                    .append(numeric[i] ? space + value : value + space)
                    .append(' ');
        }
        return text.toString().stripTrailing() + "\n";
    }

    private void measure(List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], length(row.get(i)));
        }
    }

    private static int length(String value) {
        return value.codePointCount(0, value.length());
    }
}
