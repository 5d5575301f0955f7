package dev.silkroute.postgres.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of one statement of a {@link Pipeline}, available once the pipeline has been sent. */
public final class StatementResult {
    private final int number;
    private final String sql;
    private boolean there;
    private long changed;
    private List<String> columns = List.of();
    private List<ResultRow> rows = List.of();
    private @Nullable PipelineException failure;

    StatementResult(int number, String sql) {
        this.number = number;
        this.sql = sql;
    }

    void set(long changedRows, List<String> columnNames, List<ResultRow> resultRows) {
        there = true;
        changed = changedRows;
        columns = columnNames;
        rows = resultRows;
    }

    void fail(PipelineException reason) {
        failure = reason;
    }

    void reset() {
        failure = null;
    }

    /** The statement's position in its pipeline, from 0. */
    public int number() {
        return number;
    }

    public String sql() {
        return sql;
    }

    /** Returns why this statement failed, or null if it succeeded. */
    public @Nullable PipelineException failure() {
        return failure;
    }

    /** Returns the number of rows inserted, updated, deleted or selected. */
    public long changed() throws PipelineException {
        check();
        return changed;
    }

    /** Returns the names of the columns; empty for a statement that returns no rows. */
    public List<String> columns() throws PipelineException {
        check();
        return columns;
    }

    public List<ResultRow> rows() throws PipelineException {
        check();
        return rows;
    }

    /**
     * Returns the only row.
     *
     * @throws IllegalStateException if there are several, or none
     */
    public ResultRow row() throws PipelineException {
        check();
        if (rows.size() != 1) {
            throw new IllegalStateException("expected one row, got " + rows.size() + ": " + Pipeline.shortened(sql));
        }
        return rows.getFirst();
    }

    private void check() throws PipelineException {
        if (failure != null) {
            throw failure;
        }
        if (!there) {
            throw new IllegalStateException("its pipeline has not been sent yet: " + Pipeline.shortened(sql));
        }
    }
}
