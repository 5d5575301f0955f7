package dev.silkroute.postgres.pipeline;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive executions of the same statement in a pipeline. They are sent as one extended-query batch, and the
 * responses identify the execution that failed. Accessed only by the connection's event loop until the pipeline has
 * completed.
 */
final class StatementBatch {
    private final PreparedSql prepared;
    private final List<StatementResult> answers = new ArrayList<>();
    private final List<Tuple> parameters = new ArrayList<>();
    private @Nullable SqlResult<List<Row>> result;
    private @Nullable Throwable failure;
    private boolean over;
    private boolean frozen;
    private int executed;
    private int overflow = -1;

    StatementBatch(PreparedSql prepared) {
        this.prepared = prepared;
    }

    PreparedSql prepared() {
        return prepared;
    }

    void add(StatementResult answer, Tuple tuple) {
        answers.add(answer);
        parameters.add(tuple);
    }

    /** @param room called for each row; false if the pipeline must not have more rows */
    Future<SqlResult<List<Row>>> send(BooleanSupplier room) {
        Collector<Row, List<Row>, List<Row>> collector = Collector.of(
                ArrayList::new,
                (rows, row) -> {
                    if (!room.getAsBoolean()) {
                        overflow = overflow < 0 ? executed : overflow;
                        throw new IllegalStateException("the pipeline has more rows than allowed");
                    }
                    rows.add(row);
                },
                (one, other) -> {
                    throw new UnsupportedOperationException();
                },
                rows -> {
                    executed++;
                    return rows;
                });
        var query = prepared.statement().query().collecting(collector);
        return parameters.size() == 1 ? query.execute(parameters.getFirst()) : query.executeBatch(parameters);
    }

    void succeed(SqlResult<List<Row>> all) {
        if (!frozen) {
            over = true;
            result = all;
        }
    }

    void fail(Throwable reason) {
        if (!frozen) {
            over = true;
            failure = reason;
        }
    }

    /** Ignores responses that arrive from now on. */
    void freeze() {
        frozen = true;
    }

    boolean isOver() {
        return over;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /**
     * Returns whether all executions succeeded; a later failure is that of the commit, if the batch is a transaction of
     * its own.
     */
    boolean allExecuted() {
        return executed == answers.size() && overflow < 0;
    }

    List<StatementResult> answers() {
        return answers;
    }

    /** The execution that failed. */
    StatementResult failed() {
        return answers.get(Math.min(overflow < 0 ? executed : overflow, answers.size() - 1));
    }

    /** Stores the results. Called by the sender when the pipeline has completed. */
    void fill() {
        SqlResult<List<Row>> next = result;
        for (StatementResult answer : answers) {
            if (next == null) {
                return;
            }
            List<String> columns = next.columnsNames() == null ? List.of() : List.copyOf(next.columnsNames());
            List<ColumnDescriptor> types = next.columnDescriptors() == null ? List.of() : next.columnDescriptors();
            answer.set(next.rowCount(), columns, ResultValues.rows(columns, types, next.value()));
            next = next.next();
        }
    }
}
