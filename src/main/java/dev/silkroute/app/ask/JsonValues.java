package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reads values of JSON objects as text for a table. */
final class JsonValues {
    private JsonValues() {}

    /** Returns a field's value, an empty string if it is absent or null; the elements of an array are joined. */
    static String text(JsonNode object, String field, String separator) {
        var value = object.path(field);
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(separator));
        }
        return value.isNull() ? "" : value.asText();
    }
}
