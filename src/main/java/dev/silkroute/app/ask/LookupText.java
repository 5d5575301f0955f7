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
            new Column("RPKI", "rpki_validity", false, true),
            new Column("pref", "local_pref", true, true),
            new Column("MED", "med", true, true),
            new Column("state", "stale", false, true),
            new Column("communities", "communities", false, true),
            new Column("large communities", "large_communities", false, true)));

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
