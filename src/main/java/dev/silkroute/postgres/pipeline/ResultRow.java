package dev.silkroute.postgres.pipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row of an {@link Answer}. Immutable. */
public final class ResultRow {
    private final List<String> columns;
    private final List<@Nullable Object> values;

    ResultRow(List<String> columns, List<@Nullable Object> values) {
        this.columns = columns;
        this.values = values;
    }

    /** In their order; see {@code docs/pgpipe.md} for which PostgreSQL type is which Java class. */
    public List<@Nullable Object> values() {
        return values;
    }

    public @Nullable Object value(int column) {
        return values.get(column);
    }

    /** A whole number; null is 0. */
    public long number(int column) {
        return values.get(column) instanceof Number number ? number.longValue() : 0;
    }

    public @Nullable String text(int column) {
        Object value = values.get(column);
        return value == null ? null : value.toString();
    }

    /** Values by column, in their order; of columns of one name the last. */
    public Map<String, @Nullable Object> map() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            map.put(columns.get(i), values.get(i));
        }
        return map;
    }

    @Override
    public String toString() {
        return map().toString();
    }
}
