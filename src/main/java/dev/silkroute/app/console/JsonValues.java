package dev.silkroute.app.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CSV of a JSON object that is not a list of rows: a row for each value, whose name is its path, such as {@code
 * topics.0.lag}.
 */
public final class JsonValues {
    private JsonValues() {}

    /** Returns the header and the rows. */
    public static List<List<@Nullable String>> csv(JsonNode object) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        rows.add(List.of("name", "value"));
        add("", object, rows);
        return rows;
    }

    private static void add(String name, JsonNode node, List<List<@Nullable String>> rows) {
        var prefix = name.isEmpty() ? "" : name + ".";
        if (node.isObject()) {
            node.properties().forEach(field -> add(prefix + field.getKey(), field.getValue(), rows));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                add(prefix + i, node.path(i), rows);
            }
        } else {
            var row = new ArrayList<@Nullable String>();
            row.add(name);
            row.add(node.isNull() ? null : node.asText());
            rows.add(row);
        }
    }
}
