package dev.silkroute.postgres.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL said to one statement of a {@link Flight}; there once that was sent. */
public final class Answer {
    private final int number;
    private final String sql;
    private boolean there;
    private long changed;
    private List<String> columns = List.of();
    private List<ResultRow> rows = List.of();
    private @Nullable FlightException failure;

    Answer(int number, String sql) {
        this.number = number;
        this.sql = sql;
    }

    void set(long changedRows, List<String> columnNames, List<ResultRow> resultRows) {
        there = true;
        changed = changedRows;
        columns = columnNames;
        rows = resultRows;
    }

    void fail(FlightException reason) {
        failure = reason;
    }

    void reset() {
        failure = null;
    }

    /** The statement's place in its flight, from 0. */
    public int number() {
        return number;
    }

    public String sql() {
        return sql;
    }

    /** Why this statement failed; null if it didn't. In a transaction at most one has failed by itself. */
    public @Nullable FlightException failure() {
        return failure;
    }

    /** Rows inserted, updated, deleted or selected. */
    public long changed() throws FlightException {
        check();
        return changed;
    }

    /** Names of the columns; none of a statement that gives no rows. */
    public List<String> columns() throws FlightException {
        check();
        return columns;
    }

    public List<ResultRow> rows() throws FlightException {
        check();
        return rows;
    }

    /**
     * The only row.
     *
     * @throws IllegalStateException if there are several, or none
     */
    public ResultRow row() throws FlightException {
        check();
        if (rows.size() != 1) {
            throw new IllegalStateException("not one row but " + rows.size() + ": " + Flight.shortened(sql));
        }
        return rows.getFirst();
    }

    private void check() throws FlightException {
        if (failure != null) {
            throw failure;
        }
        if (!there) {
            throw new IllegalStateException("its flight was not sent yet: " + Flight.shortened(sql));
        }
    }
}
