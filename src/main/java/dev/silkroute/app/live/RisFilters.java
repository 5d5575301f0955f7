package dev.silkroute.app.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.live.LiveFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the filters of RIS Live's {@code ris_subscribe} and {@code ris_unsubscribe}. */
final class RisFilters {
    private static final String OPTIONS = "socketOptions";
    private static final String PREFIX = "prefix";

    private RisFilters() {}

    /**
     * Returns the filters of a message: one for each prefix, or one without a prefix.
     *
     * @param data the message's data; without any, the filter matches all messages
     * @throws IllegalArgumentException if a filter is invalid
     */
    static List<LiveFilter> of(JsonNode data) {
        List<LiveFilter> filters = new ArrayList<>();
        for (ObjectNode subscription : subscriptions(data)) {
            Map<String, String> conditions = new HashMap<>();
            subscription.fields().forEachRemaining(field -> {
                if (!field.getValue().isNull()) {
                    conditions.put(field.getKey(), text(field.getKey(), field.getValue()));
                }
            });
            filters.add(LiveFilter.parse(conditions, true));
        }
        return filters;
    }

    /** Returns the subscriptions of a message, one for each prefix, without the options of the socket. */
    static List<ObjectNode> subscriptions(JsonNode data) {
        if (data.isMissingNode() || data.isNull()) {
            return List.of(JsonNodeFactory.instance.objectNode());
        }
        if (!(data instanceof ObjectNode object)) {
            throw new IllegalArgumentException("data must be an object");
        }
        ObjectNode common = object.deepCopy();
        common.remove(OPTIONS);
        JsonNode prefixes = common.path(PREFIX);
        if (!prefixes.isArray() || prefixes.isEmpty()) {
            if (prefixes.isArray()) {
                common.remove(PREFIX);
            }
            return List.of(common);
        }
        common.remove(PREFIX); // copied for each prefix
        List<ObjectNode> each = new ArrayList<>();
        prefixes.forEach(prefix -> each.add(common.deepCopy().set(PREFIX, prefix)));
        return each;
    }

    private static String text(String key, JsonNode value) {
        if (!value.isValueNode()) {
            throw new IllegalArgumentException(key + " must be a single value");
        }
        return value.asText();
    }
}
