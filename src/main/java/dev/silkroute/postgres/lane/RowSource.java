package dev.silkroute.postgres.lane;

/**
 * Makes the rows of a table out of records of a kind that only it knows. For those who have more to do in the transaction
 * than one COPY, or no objects to spare for each row.
 *
 * @param <T> what the records' values are
 */
public interface RowSource<T> {
    Class<T> valueType();

    /** @param table as the route names it */
    LaneWriter<T> into(String table);
}
