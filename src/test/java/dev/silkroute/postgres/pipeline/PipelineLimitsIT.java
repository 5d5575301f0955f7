package dev.silkroute.postgres.pipeline;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests pipelines at their limits: statements, bytes, rows, prepared statements and connections. */
class PipelineLimitsIT extends PipelineHarness {
    @Test
    void tenThousandStatementsAreOnePipelineAndOneTransaction() throws Exception {
        Pipeline pipeline = pool.transaction();
        for (int i = 0; i < 5_000; i++) {
            pipeline.add("INSERT INTO line VALUES ($1, $2)", i, "w".repeat(100));
            pipeline.add("SELECT count(*), string_agg(word, '') FROM line WHERE id > $1 - 20", i);
        }

        List<StatementResult> answers = pipeline.send();

        assertThat(answers).hasSize(10_000);
        assertThat(answers.get(9_999).row().value(1).toString()).hasSize(2_000);
        assertThat(TestPostgres.query(database, "SELECT count(*), count(DISTINCT xmin::text) FROM line"))
                .containsExactly("5000|1");
    }

    /** Answers of 200 MB and more: nobody waits for the other to read. */
    @Test
    void largePipelinesDoNotDeadlock() throws Exception {
        Pipeline pipeline = pool.transaction();
        for (int i = 0; i < 100; i++) {
            pipeline.add("SELECT repeat('x', 100000 + $1), length($2)", i, "y".repeat(200_000));
        }

        List<StatementResult> answers = pipeline.send();

        assertThat(answers.getLast().row().number(1)).isEqualTo(200_000);
        assertThat(answers.getLast().row().text(0)).hasSize(100_099);
    }

    @Test
    void limitsOfAPipelineAreHeld() throws Exception {
        try (var small = PipelinePool.open(TestPostgres.url(database), PipelineLimits.DEFAULT.withSize(2, 1_000, 10))) {
            Pipeline pipeline = small.transaction();
            pipeline.add("SELECT 1");
            assertThatThrownBy(() -> pipeline.add("SELECT length($1)", "x".repeat(1_000)))
                    .hasMessageContaining("1000 bytes");
            Pipeline many = small.transaction();
            many.add("INSERT INTO line VALUES (1, 'one')");
            many.add("SELECT generate_series(1, 11)");
            assertThatThrownBy(() -> many.add("SELECT 3")).hasMessageContaining("2 statements");

            PipelineException failure = catchThrowableOfType(PipelineException.class, many::send);

            assertThat(failure.outcome()).isEqualTo(PipelineOutcome.APPLIED);
            assertThat((Throwable) failure).hasMessageContaining("more rows than allowed");
            assertThat(lines()).containsExactly("1|one");
        }
    }

    @Test
    void tooManyRowsBeforeAStatementThatFailsAreNotApplied() throws Exception {
        try (var small = PipelinePool.open(TestPostgres.url(database), PipelineLimits.DEFAULT.withSize(3, 1_000, 10))) {
            Pipeline pipeline = small.transaction();
            pipeline.add("INSERT INTO line VALUES (1, 'one')");
            pipeline.add("SELECT generate_series(1, 11)");
            pipeline.add("SELECT 1 / $1::bigint", 0);

            PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

            assertThat(lines()).isEmpty();
            assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
            assertThat((Throwable) failure).hasMessageContaining("nothing was applied");
        }
    }

    @Test
    void preparedStatementsAreRememberedWithABound() throws Exception {
        try (var small = PipelinePool.open(TestPostgres.url(database), PipelineLimits.DEFAULT.withPrepared(5))) {
            for (int i = 0; i < 20; i++) {
                Pipeline pipeline = small.transaction();
                pipeline.add("SELECT 'often'");
                pipeline.add("SELECT 'once " + i + "'");
                pipeline.send();
            }
            Pipeline look = small.transaction();
            // the pipeline's own query for types, and this one
            StatementResult kept =
                    look.add("SELECT count(*) FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prep%'");
            look.send();

            assertThat(kept.row().number(0)).isEqualTo(4);
            assertThat(small.statistics().prepared()).isEqualTo(22);
            assertThat(small.statistics().reused()).isEqualTo(19);
        }
    }

    @Test
    void exhaustionIsAClearError() throws Exception {
        var limits = PipelineLimits.DEFAULT.withConnections(1, 1, Duration.ofMillis(300));
        try (var one = PipelinePool.open(TestPostgres.url(database), limits);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> busy = threads.submit(() -> {
                Pipeline pipeline = one.transaction();
                pipeline.add("SELECT pg_sleep(2)");
                return pipeline.send();
            });
            await().until(() -> one.busy() == 1 && one.statistics().pipelines() == 1);
            Future<?> waits = threads.submit(() -> {
                Pipeline pipeline = one.transaction();
                pipeline.add("SELECT 1");
                return pipeline.send();
            });
            await().until(() -> one.waiting() == 1);
            Pipeline further = one.transaction();
            further.add("SELECT 1");

            PipelineException failure = catchThrowableOfType(PipelineException.class, further::send);

            assertThat((Throwable) failure)
                    .hasMessage("all 1 connections are in use and 1 callers are already waiting");
            assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
            assertThatThrownBy(waits::get)
                    .hasRootCauseMessage("no connection became free within 300 ms: all 1 are in use");
            busy.get(20, SECONDS);
            assertThat(one.statistics().rejected()).isEqualTo(2);
            assertThat(one.statistics().opened()).isEqualTo(1);
            assertThat(one.busy()).isZero();
            assertThat(one.idle()).isEqualTo(1);
        }
    }

    @Test
    void manyCallersShareFewConnections() throws Exception {
        var limits = PipelineLimits.DEFAULT.withConnections(3, 1_000, Duration.ofSeconds(30));
        try (var few = PipelinePool.open(TestPostgres.url(database), limits);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int id = i;
                all.add(threads.submit(() -> {
                    Pipeline pipeline = few.transaction();
                    pipeline.add("INSERT INTO line VALUES ($1, $2)", id, "word");
                    return pipeline.send();
                }));
            }
            for (Future<?> each : all) {
                each.get(60, SECONDS);
            }
            assertThat(few.statistics().opened()).isBetween(1L, 3L);
            assertThat(lines()).hasSize(300);
        }
    }
}
