package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.Terminal;
import dev.silkroute.app.console.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Shows JSON objects as the rows of a table whose columns are some of their fields. The elements of an array are
 * joined by blanks, and so are the members of an object, as in {@code site:fra role:edge}.
 */
record JsonTable(List<Column> columns) {
    /**
     * A column.
     *
     * @param header its header in a table; in CSV it is the name of the field
     * @param isNumeric whether to align it to the right
     * @param isOptional whether a table omits it if no row has a value
     */
    record Column(String header, String field, boolean isNumeric, boolean isOptional) {
        static Column text(String header, String field) {
            return new Column(header, field, false, false);
        }

        static Column number(String header, String field) {
            return new Column(header, field, true, false);
        }

        /** Returns the column as an optional one. */
        Column optional() {
            return new Column(header, field, isNumeric, true);
        }
    }

    /**
     * Returns the rows as a table for a terminal. A boolean is shown as the name of its field, or empty if it is
     * false.
     */
    String text(List<JsonNode> rows) {
        var shown = columns.stream()
                .filter(column -> !column.isOptional()
                        || rows.stream().anyMatch(row -> !shown(row, column).isEmpty()))
                .toList();
        return TextTable.of(
                shown.stream()
                        .map(column -> new TextTable.Column(column.header(), column.isNumeric()))
                        .toList(),
                rows.stream()
                        .map(row ->
                                shown.stream().map(column -> shown(row, column)).toList())
                        .toList(),
                Terminal.columns());
    }

    /** Returns the header and the rows of CSV, with null for absent values. */
    List<List<@Nullable String>> csv(List<JsonNode> rows) {
        List<List<@Nullable String>> lines = new ArrayList<>();
        lines.add(new ArrayList<>(columns.stream().map(Column::field).toList()));
        for (var row : rows) {
            List<@Nullable String> line = new ArrayList<>();
            for (var column : columns) {
                line.add(value(row.path(column.field())));
            }
            lines.add(line);
        }
        return lines;
    }

    private static String shown(JsonNode row, Column column) {
        var value = row.path(column.field());
        if (value.isBoolean()) {
            return value.asBoolean() ? column.field() : "";
        }
        var text = value(value);
        return text == null ? "" : text;
    }

    private static @Nullable String value(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .map(member -> member.getKey() + ":" + member.getValue().asText())
                    .collect(Collectors.joining(" "));
        }
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(" "));
        }
        return value.isMissingNode() || value.isNull() ? null : value.asText();
    }
}
