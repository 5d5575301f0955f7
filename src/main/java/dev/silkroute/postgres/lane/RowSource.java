package dev.silkroute.postgres.lane;

import java.util.function.Function;

/**
 * Creates the writer of a lane for a table.
 *
 * @param <T> the type of the records' values
 */
public interface RowSource<T> {
    /** The type to which values are converted before they are passed to the writer. */
    Class<T> valueType();

    /** @param table as the route names it */
    LaneWriter<T> into(String table);

    /** Returns a source that calls a factory for each table. */
    static <T> RowSource<T> of(Class<T> valueType, Function<String, LaneWriter<T>> factory) {
        return new RowSource<>() {
            @Override
            public Class<T> valueType() {
                return valueType;
            }

            @Override
            public LaneWriter<T> into(String table) {
                return factory.apply(table);
            }
        };
    }
}
