package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * Formats the routes of a lookup as a table, the longest prefix first. Optional columns without any value are
 * omitted.
 */
final class LookupText {
    private record Column(String header, String field, boolean numeric, boolean optional) {
        TextTable.Column layout() {
            return new TextTable.Column(header, numeric);
        }
    }

    private static final List<Column> COLUMNS = List.of(
            new Column("prefix", "prefix", false, false),
            new Column("router", "router", false, false),
            new Column("peer", "peer_address", false, false),
            new Column("peer AS", "peer_asn", true, false),
            new Column("view", "rib_view", false, false),
            new Column("path id", "path_id", true, true),
            new Column("labels", "labels", false, true),
            new Column("next hop", "next_hop", false, false),
            new Column("AS path", "as_path", false, false),
            new Column("origin", "origin", false, true),
            new Column("pref", "local_pref", true, true),
            new Column("MED", "med", true, true),
            new Column("state", "stale", false, true),
            new Column("communities", "communities", false, true),
            new Column("large communities", "large_communities", false, true));

    private LookupText() {}

    /**
     * Formats a response of {@code /api/v1/lookup}.
     *
     * @param destination the address or prefix that was looked up
     */
    static String of(String destination, JsonNode routes) {
        if (routes.isEmpty()) {
            return "No route covers " + destination + "\n";
        }
        var sorted = StreamSupport.stream(routes.spliterator(), false)
                .sorted(Comparator.comparingInt((JsonNode route) -> -prefixLength(route))
                        .thenComparing(route -> text(route, "router"))
                        .thenComparing(route -> text(route, "peer_address"))
                        .thenComparing(route -> text(route, "rib_view"))
                        .thenComparingLong(route -> route.path("path_id").asLong(-1)))
                .toList();
        var columns = COLUMNS.stream()
                .filter(column -> !column.optional()
                        || sorted.stream()
                                .anyMatch(route -> !text(route, column.field()).isEmpty()))
                .toList();
        var rows = sorted.stream()
                .map(route -> columns.stream()
                        .map(column -> text(route, column.field()))
                        .toList())
                .toList();
        return TextTable.of(columns.stream().map(Column::layout).toList(), rows) + "(" + rows.size()
                + (rows.size() == 1 ? " route)\n" : " routes)\n");
    }

    private static int prefixLength(JsonNode route) {
        String prefix = text(route, "prefix");
        return Integer.parseInt(prefix.substring(prefix.indexOf('/') + 1));
    }

    private static String text(JsonNode route, String field) {
        if (field.equals("stale")) {
            return route.path(field).asBoolean() ? "stale" : "";
        }
        return JsonValues.text(route, field, " ");
    }
}
