package dev.silkroute.postgres.pipeline;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests the settings of a transaction: variables, role, read-only, and time-outs, by which pipelines are cancelled. */
class PipelineSettingsIT extends PipelineHarness {
    @Test
    void settingsLastForTheTransactionOnly() throws Exception {
        execute("CREATE ROLE " + role("reader"));
        Pipeline pipeline = pool.transaction()
                .set("silkroute.tenant", "it's \"acme\"; --")
                .statementTimeout(Duration.ofSeconds(7))
                .role(role("reader"));
        StatementResult inside = pipeline.add(
                "SELECT current_setting('silkroute.tenant'), current_setting('statement_timeout'), current_user::text");
        pipeline.send();
        Pipeline next = pool.transaction();
        StatementResult outside =
                next.add("SELECT current_setting('silkroute.tenant', true), current_setting('statement_timeout'),"
                        + " current_user::text");
        next.send();

        assertThat(inside.row().values()).containsExactly("it's \"acme\"; --", "7s", role("reader"));
        assertThat(outside.row().values()).containsExactly("", "0", "silkroute");
    }

    /** Roles are the server's, databases the test's. */
    private String role(String name) throws SQLException {
        return name + "_"
                + TestPostgres.query(database, "SELECT current_database()").getFirst();
    }

    @Test
    void aRoleThatIsNotThereFailsThePipeline() throws Exception {
        Pipeline pipeline = pool.transaction().role("nobody");
        pipeline.add("INSERT INTO line VALUES (1, 'one')");

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat((Throwable) failure).hasMessageStartingWith("the settings failed, nothing was applied");
        assertThat(lines()).isEmpty();
    }

    @Test
    void readOnlyIs() {
        Pipeline pipeline = pool.transaction().readOnly();
        pipeline.add("INSERT INTO line VALUES (1, 'one')");

        assertThatThrownBy(pipeline::send).hasMessageContaining("read-only transaction");
    }

    @Test
    void aStatementThatTakesTooLongEndsTheTransaction() throws Exception {
        Pipeline pipeline = pool.transaction().statementTimeout(Duration.ofMillis(50));
        pipeline.add("INSERT INTO line VALUES (1, 'one')");
        pipeline.add("SELECT pg_sleep(30)");

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat(failure.statement()).isEqualTo(1);
        assertThat(failure.getSQLState()).isEqualTo("57014");
        assertThat(lines()).isEmpty();
    }

    @Test
    void anInterruptedPipelineIsCancelled() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<PipelineException> failed = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread thread = Thread.startVirtualThread(() -> {
            Pipeline pipeline = pool.transaction();
            pipeline.add("INSERT INTO line VALUES (1, 'one')");
            pipeline.add("SELECT pg_sleep(60)");
            ready.countDown();
            failed.complete(catchThrowableOfType(PipelineException.class, pipeline::send));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        ready.await();
        sleeps();

        thread.interrupt();

        assertThat(failed.get(20, SECONDS).outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
        assertThat(failed.get().getSQLState()).isEqualTo("57014");
        assertThat(interrupted.get(1, SECONDS)).isTrue();
        assertThat(lines()).isEmpty();
        assertThat(pool.statistics().cancelled()).isEqualTo(1);
        anotherPipelineIsWell();
    }

    /** Until the server is at a {@code pg_sleep}. */
    private void sleeps() {
        await().until(() -> sleepers().size() == 1);
    }

    private List<String> sleepers() throws SQLException {
        return TestPostgres.query(
                database,
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'");
    }

    @Test
    void aPipelineThatTakesTooLongIsCancelled() throws Exception {
        Pipeline pipeline = pool.transaction().limit(Duration.ofMillis(300));
        pipeline.add("INSERT INTO line VALUES (1, 'one')");
        pipeline.add("SELECT pg_sleep(60)");

        assertThat(catchThrowableOfType(PipelineException.class, pipeline::send).outcome())
                .isEqualTo(PipelineOutcome.NOTHING_APPLIED);

        assertThat(sleepers()).isEmpty();
        assertThat(lines()).isEmpty();
        anotherPipelineIsWell();
    }

    @Test
    void anEndedSessionAppliedNothing() throws Exception {
        CompletableFuture<PipelineException> failed = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            Pipeline pipeline = pool.transaction();
            pipeline.add("INSERT INTO line VALUES (1, 'one')");
            pipeline.add("SELECT pg_sleep(60)");
            pipeline.add("INSERT INTO line VALUES (2, 'two')");
            failed.complete(catchThrowableOfType(PipelineException.class, pipeline::send));
        });
        sleeps();

        TestPostgres.query(database, "SELECT pg_terminate_backend(" + sleepers().getFirst() + ")");

        PipelineException failure = failed.get(20, SECONDS);
        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
        assertThat((Throwable) failure)
                .hasMessageContaining("PostgreSQL ended the session")
                .hasMessageContaining("nothing was applied");
        assertThat(lines()).isEmpty();
        anotherPipelineIsWell();
    }
}
