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
 * Executions of one statement that follow each other in a flight: they go out as one portion, and what PostgreSQL answers
 * tells which of them failed. Only touched by the connection's event loop, until the flight has landed.
 */
final class Leg {
    private final Prepared prepared;
    private final List<Answer> answers = new ArrayList<>();
    private final List<Tuple> parameters = new ArrayList<>();
    private @Nullable SqlResult<List<Row>> result;
    private @Nullable Throwable failure;
    private boolean over;
    private boolean frozen;
    private int executed;
    private int overflow = -1;

    Leg(Prepared prepared) {
        this.prepared = prepared;
    }

    Prepared prepared() {
        return prepared;
    }

    void add(Answer answer, Tuple tuple) {
        answers.add(answer);
        parameters.add(tuple);
    }

    /** @param room asked for each row, false if there is none for it */
    Future<SqlResult<List<Row>>> send(BooleanSupplier room) {
        Collector<Row, List<Row>, List<Row>> collector = Collector.of(
                ArrayList::new,
                (rows, row) -> {
                    if (!room.getAsBoolean()) {
                        overflow = overflow < 0 ? executed : overflow;
                        throw new IllegalStateException("its flight has more rows than it may");
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

    /** What comes from now on comes too late. */
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

    /** All of its statements were executed: what failed it after that is the commit, if it is a transaction of its own. */
    boolean isThrough() {
        return executed == answers.size() && overflow < 0;
    }

    List<Answer> answers() {
        return answers;
    }

    /** The statement at which it failed. */
    Answer failed() {
        return answers.get(Math.min(overflow < 0 ? executed : overflow, answers.size() - 1));
    }

    /** Fills in the answers. Called when the flight has landed, by who sent it. */
    void fill() {
        SqlResult<List<Row>> next = result;
        for (Answer answer : answers) {
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
