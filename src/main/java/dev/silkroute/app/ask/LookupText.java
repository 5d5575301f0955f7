package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.ask.JsonTable.Column;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Formats the routes of a response of {@code /api/v1/lookup}, the longest prefix first. */
final class LookupText {
    private static final JsonTable ROUTES = new JsonTable(List.of(
            Column.text("prefix", "prefix"),
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.number("peer AS", "peer_asn"),
            Column.text("view", "rib_view"),
            Column.number("path id", "path_id").optional(),
            Column.text("labels", "labels").optional(),
            Column.text("next hop", "next_hop"),
            Column.text("AS path", "as_path"),
            Column.text("origin name", OriginNames.FIELD).optional(),
            Column.text("origin", "origin").optional(),
            Column.text("RPKI", "rpki_validity").optional(),
            Column.text("ASPA", "aspa").optional(),
            Column.number("pref", "local_pref").optional(),
            Column.number("MED", "med").optional(),
            Column.text("state", "stale").optional(),
            Column.text("communities", "communities").optional(),
            Column.text("large communities", "large_communities").optional()));

    private LookupText() {}

    /**
     * Formats the routes as a table.
     *
     * @param destination the address or prefix that was looked up
     */
    static String of(String destination, JsonNode routes) {
        if (routes.isEmpty()) {
            return "No route covers " + destination + "\n";
        }
        int count = routes.size();
        return ROUTES.text(sorted(routes)) + "(" + count + (count == 1 ? " route)\n" : " routes)\n");
    }

    /** Returns the header and the rows of CSV. */
    static List<List<@Nullable String>> csv(JsonNode routes) {
        return ROUTES.csv(sorted(routes));
    }

    private static List<JsonNode> sorted(JsonNode routes) {
        return StreamSupport.stream(routes.spliterator(), false)
                .sorted(Comparator.comparingInt((JsonNode route) -> -prefixLength(route))
                        .thenComparing(route -> route.path("router").asText())
                        .thenComparing(route -> route.path("peer_address").asText())
                        .thenComparing(route -> route.path("rib_view").asText())
                        .thenComparingLong(route -> route.path("path_id").asLong(-1)))
                .toList();
    }

    private static int prefixLength(JsonNode route) {
        var prefix = route.path("prefix").asText();
        return Integer.parseInt(prefix.substring(prefix.indexOf('/') + 1));
    }
}
