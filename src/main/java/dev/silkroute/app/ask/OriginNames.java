package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Adds the field {@code origin_name}, the name of the origin AS, to rows of answers that have {@code origin_asn}. */
final class OriginNames {
    static final String FIELD = "origin_name";

    /** Keeps the request below the limit of a parameter's length. */
    private static final int MAX_NUMBERS = 300;

    private OriginNames() {}

    /** Changes the rows; asks the station only if one of them has an origin AS. */
    static void add(List<JsonNode> rows, StationApi station) {
        var numbers = new ArrayList<>(rows.stream()
                .map(row -> row.path("origin_asn"))
                .filter(JsonNode::isIntegralNumber)
                .map(JsonNode::asLong)
                .collect(Collectors.toCollection(TreeSet::new)));
        Map<Long, String> names = new HashMap<>();
        for (int from = 0; from < numbers.size(); from += MAX_NUMBERS) {
            var some = numbers.subList(from, Math.min(from + MAX_NUMBERS, numbers.size())).stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(","));
            station.get(new ApiPath("as-names").with("asn", some).toString())
                    .forEach(entry -> names.put(
                            entry.path("asn").asLong(), entry.path("name").asText()));
        }
        for (var row : rows) {
            var name = names.get(row.path("origin_asn").asLong(-1));
            if (name != null && row instanceof ObjectNode object) {
                object.put(FIELD, name);
            }
        }
    }
}
