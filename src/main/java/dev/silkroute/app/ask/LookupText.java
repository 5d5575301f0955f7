package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The routes of a lookup as a table: the longest prefix first, columns of which no route has anything left out. */
final class LookupText {
    /**
     * A column.
     *
     * @param always shown even if it is empty
     */
    private record Column(String header, String field, boolean numeric, boolean always) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("prefix", "prefix", false, true),
            new Column("router", "router", false, true),
            new Column("peer", "peer_address", false, true),
            new Column("peer AS", "peer_asn", true, true),
            new Column("view", "rib_view", false, true),
            new Column("path id", "path_id", true, false),
            new Column("labels", "labels", false, false),
            new Column("next hop", "next_hop", false, true),
            new Column("AS path", "as_path", false, true),
            new Column("origin", "origin", false, false),
            new Column("pref", "local_pref", true, false),
            new Column("MED", "med", true, false),
            new Column("state", "stale", false, false),
            new Column("communities", "communities", false, false),
            new Column("large communities", "large_communities", false, false));

    private LookupText() {}

    static String of(String asked, JsonNode routes) {
        if (routes.isEmpty()) {
            return "No route covers " + asked + "\n";
        }
        var sorted = StreamSupport.stream(routes.spliterator(), false)
                .sorted(Comparator.comparingInt((JsonNode route) -> -length(route))
                        .thenComparing(route -> text(route, "router"))
                        .thenComparing(route -> text(route, "peer_address"))
                        .thenComparing(route -> text(route, "rib_view"))
                        .thenComparingLong(route -> route.path("path_id").asLong(-1)))
                .toList();
        var shown = COLUMNS.stream()
                .filter(column -> column.always()
                        || sorted.stream()
                                .anyMatch(route -> !text(route, column.field()).isEmpty()))
                .toList();
        var rows = new ArrayList<List<String>>();
        sorted.forEach(route -> rows.add(
                shown.stream().map(column -> text(route, column.field())).toList()));
        boolean[] numeric = new boolean[shown.size()];
        IntStream.range(0, numeric.length)
                .forEach(i -> numeric[i] = shown.get(i).numeric());
        var table = new TextTable(shown.stream().map(Column::header).toList(), numeric, rows);
        var text = new StringBuilder(table.head());
        rows.forEach(row -> text.append(table.line(row)));
        return text.append('(')
                .append(rows.size())
                .append(rows.size() == 1 ? " route)\n" : " routes)\n")
                .toString();
    }

    private static int length(JsonNode route) {
        String prefix = text(route, "prefix");
        return Integer.parseInt(prefix.substring(prefix.indexOf('/') + 1));
    }

    private static String text(JsonNode route, String field) {
        var value = route.path(field);
        if (field.equals("stale")) {
            return value.asBoolean() ? "stale" : "";
        }
        if (value.isArray()) {
            var parts = new ArrayList<String>();
            value.forEach(part -> parts.add(part.asText()));
            return String.join(" ", parts);
        }
        return value.isNull() ? "" : value.asText();
    }
}
