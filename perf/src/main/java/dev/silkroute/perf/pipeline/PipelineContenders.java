package dev.silkroute.perf.pipeline;

import dev.silkroute.postgres.pipeline.Pipeline;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import dev.silkroute.postgres.pipeline.PipelinePool;
import dev.silkroute.postgres.pipeline.StatementResult;
import java.util.List;

/** The tasks by pipelines. Statements are enqueued as the task has them, none is rewritten by hand. */
final class PipelineContenders implements AutoCloseable {
    private static final String SELECT = Sql.numbered(Sql.SELECT);
    private static final String INSERT = Sql.numbered(Sql.INSERT);

    private final PipelinePool pool;

    PipelineContenders(String url) {
        pool = PipelinePool.open(url, PipelineLimits.DEFAULT);
    }

    List<Way> ways() {
        return List.of(
                new Way(Task.TEN_SELECTS, Way.Group.OURS, "a pipeline", this::selects),
                new Way(Task.TEN_SELECTS, Way.Group.OURS, "a pipeline, independent", this::independent),
                new Way(Task.TRANSACTION, Way.Group.OURS, "a pipeline", this::transaction),
                new Way(Task.TEN_INSERTS, Way.Group.OURS, "a pipeline", n -> inserts(Task.TEN_INSERTS, n)),
                new Way(Task.MIXED, Way.Group.OURS, "a pipeline", this::mixed),
                new Way(
                        Task.HUNDRED_ROWS,
                        Way.Group.OURS,
                        "a pipeline of 100 statements",
                        n -> inserts(Task.HUNDRED_ROWS, n)),
                new Way(Task.HUNDRED_ROWS, Way.Group.OURS, "a pipeline of one UNNEST", this::arrays));
    }

    private static long sum(List<StatementResult> answers) throws Exception {
        long sum = 0;
        for (StatementResult answer : answers) {
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
        // Read only, so that BEGIN and COMMIT are sent: a single statement is a transaction without
        return select(pool.transaction().readOnly(), operation, 1);
    }

    private static long select(Pipeline pipeline, long operation, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            pipeline.add(SELECT, Task.key(operation, i));
        }
        return sum(pipeline.send());
    }

    private long inserts(Task task, long operation) throws Exception {
        Pipeline pipeline = pool.transaction();
        for (int i = 0; i < task.rows(); i++) {
            long id = task.id(operation, i);
            pipeline.add(INSERT, id, "word " + id, id * 3);
        }
        return sum(pipeline.send());
    }

    private long mixed(long operation) throws Exception {
        Pipeline pipeline = pool.transaction();
        pipeline.add(INSERT, operation, "word " + operation, operation * 3);
        pipeline.add(Sql.numbered(Sql.COUNT), 1, 1);
        pipeline.add(SELECT, Task.key(operation, 0));
        pipeline.add(Sql.numbered(Sql.NOTE), operation, "word " + operation);
        pipeline.add(SELECT, Task.key(operation, 1));
        return sum(pipeline.send());
    }

    private long arrays(long operation) throws Exception {
        Rows rows = Rows.of(Task.HUNDRED_ROWS, operation);
        Pipeline pipeline = pool.transaction();
        pipeline.add(Sql.numbered(Sql.INSERT_ARRAYS), rows.ids(), rows.words(), rows.values());
        return sum(pipeline.send());
    }

    @Override
    public void close() {
        pool.close();
    }
}
