package dev.silkroute.postgres.pipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row of a {@link StatementResult}. Immutable. */
public final class ResultRow {
    private final List<String> columns;
    private final List<@Nullable Object> values;

    ResultRow(List<String> columns, List<@Nullable Object> values) {
        this.columns = columns;
        this.values = values;
    }

    /**
     * The values in the order of the columns; {@code docs/reference/pgpipe.md} lists the Java class for each PostgreSQL
     * type.
     */
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

    /** The values by column name, in order. Of several columns with the same name, the last one. */
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
