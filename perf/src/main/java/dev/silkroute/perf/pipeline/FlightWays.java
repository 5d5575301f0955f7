package dev.silkroute.perf.pipeline;

import dev.silkroute.postgres.pipeline.Answer;
import dev.silkroute.postgres.pipeline.Flight;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import dev.silkroute.postgres.pipeline.PipelinePool;
import java.util.List;

/** The tasks by flights. Statements are enqueued as the task has them, none is rewritten by hand. */
final class FlightWays implements AutoCloseable {
    private static final String SELECT = Sql.numbered(Sql.SELECT);
    private static final String INSERT = Sql.numbered(Sql.INSERT);

    private final PipelinePool pool;

    FlightWays(String url) {
        pool = PipelinePool.open(url, PipelineLimits.DEFAULT);
    }

    List<Way> ways() {
        return List.of(
                new Way(Task.TEN_SELECTS, Way.Group.OURS, "a flight", this::selects),
                new Way(Task.TEN_SELECTS, Way.Group.OURS, "a flight, independent", this::independent),
                new Way(Task.TRANSACTION, Way.Group.OURS, "a flight", this::transaction),
                new Way(Task.TEN_INSERTS, Way.Group.OURS, "a flight", n -> inserts(Task.TEN_INSERTS, n)),
                new Way(Task.MIXED, Way.Group.OURS, "a flight", this::mixed),
                new Way(
                        Task.HUNDRED_ROWS,
                        Way.Group.OURS,
                        "a flight of 100 statements",
                        n -> inserts(Task.HUNDRED_ROWS, n)),
                new Way(Task.HUNDRED_ROWS, Way.Group.OURS, "a flight of one UNNEST", this::arrays));
    }

    private static long sum(List<Answer> answers) throws Exception {
        long sum = 0;
        for (Answer answer : answers) {
            if (!answer.columns().isEmpty()) {
                sum += answer.row().number(0);
            }
        }
        return sum;
    }

    private long selects(long operation) throws Exception {
        return select(pool.transaction(), operation, 10);
    }

    private long independent(long operation) throws Exception {
        return select(pool.independent(), operation, 10);
    }

    private long transaction(long operation) throws Exception {
        // Read only, so that BEGIN and COMMIT are said: a single statement is a transaction without
        return select(pool.transaction().readOnly(), operation, 1);
    }

    private static long select(Flight flight, long operation, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            flight.add(SELECT, Task.key(operation, i));
        }
        return sum(flight.send());
    }

    private long inserts(Task task, long operation) throws Exception {
        Flight flight = pool.transaction();
        for (int i = 0; i < task.rows(); i++) {
            long id = task.id(operation, i);
            flight.add(INSERT, id, "word " + id, id * 3);
        }
        return sum(flight.send());
    }

    private long mixed(long operation) throws Exception {
        Flight flight = pool.transaction();
        flight.add(INSERT, operation, "word " + operation, operation * 3);
        flight.add(Sql.numbered(Sql.COUNT), 1, 1);
        flight.add(SELECT, Task.key(operation, 0));
        flight.add(Sql.numbered(Sql.NOTE), operation, "word " + operation);
        flight.add(SELECT, Task.key(operation, 1));
        return sum(flight.send());
    }

    private long arrays(long operation) throws Exception {
        Rows rows = Rows.of(Task.HUNDRED_ROWS, operation);
        Flight flight = pool.transaction();
        flight.add(Sql.numbered(Sql.INSERT_ARRAYS), rows.ids(), rows.words(), rows.values());
        return sum(flight.send());
    }

    @Override
    public void close() {
        pool.close();
    }
}
