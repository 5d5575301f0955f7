package dev.silkroute.postgres.lane;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The elements of what stands for an array: a collection or an array, of objects or primitives. */
final class ArrayValues {
    private ArrayValues() {}

    static Collection<? extends @Nullable Object> of(Object value) {
        if (value instanceof Collection<?> collection) {
            return collection;
        }
        if (!value.getClass().isArray()) {
            throw new IllegalArgumentException("it takes a collection or an array");
        }
        int length = Array.getLength(value);
        Collection<@Nullable Object> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(Array.get(value, i));
        }
        return values;
    }
}
