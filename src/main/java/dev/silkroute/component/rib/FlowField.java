package dev.silkroute.component.rib;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of flow records that collectors name differently.
 *
 * @param names the possible names; the first one with a value in a record counts
 */
record FlowField(List<String> names) {
    /** @param names separated by commas */
    static FlowField of(String names) {
        return new FlowField(Arrays.stream(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList());
    }

    /** Returns the name of the field in this record; null if the record has no value, or an empty one. */
    @Nullable
    String nameIn(Map<String, Object> flow) {
        for (String name : names) {
            Object value = flow.get(name);
            if (value != null && !value.equals("")) {
                return name;
            }
        }
        return null;
    }

    /** Returns the value in this record; null if there is none, or if it is not a string. */
    @Nullable
    String textIn(Map<String, Object> flow) {
        String name = nameIn(flow);
        return name != null && flow.get(name) instanceof String text ? text : null;
    }
}
