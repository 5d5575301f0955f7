package dev.silkroute.postgres.pipeline;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestPostgres;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines to a real PostgreSQL. */
class PipelineIT {
    private DataSource database;
    private PipelinePool pool;

    @BeforeEach
    void open() throws Exception {
        database = TestPostgres.database();
        execute("CREATE TABLE line (id bigint PRIMARY KEY, word text)");
        pool = PipelinePool.open(url(database), PipelineLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    static String url(DataSource database) {
        String url = TestPostgres.url(database);
        return url + (url.contains("?") ? "&" : "?") + "user=silkroute";
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private List<String> lines() throws SQLException {
        return TestPostgres.query(database, "SELECT id, word FROM line ORDER BY id");
    }

    @Test
    void aTransactionBringsAllAnswers() throws Exception {
        Pipeline pipeline = pool.transaction();
        StatementResult first = pipeline.add("INSERT INTO line VALUES ($1, $2)", 1, "one");
        StatementResult second = pipeline.add("INSERT INTO line VALUES ($1, $2), ($3, $4)", 2, "two", 3, null);
        StatementResult read = pipeline.add("SELECT * FROM line ORDER BY id");
        assertThatThrownBy(first::changed).isInstanceOf(IllegalStateException.class);

        assertThat(pipeline.send()).containsExactly(first, second, read);

        assertThat(first.changed()).isEqualTo(1);
        assertThat(second.changed()).isEqualTo(2);
        assertThat(read.columns()).containsExactly("id", "word");
        assertThat(read.rows())
                .extracting(ResultRow::values)
                .containsExactly(List.of(1L, "one"), List.of(2L, "two"), Arrays.asList(3L, null));
        assertThat(read.rows().getLast().map()).containsEntry("id", 3L).containsEntry("word", null);
        assertThat(lines()).containsExactly("1|one", "2|two", "3|-");
        assertThatThrownBy(pipeline::send).hasMessage("a pipeline is sent once");
    }

    @Test
    void anErrorInTheMiddleUndoesAllAndNamesItself() throws Exception {
        Pipeline pipeline = pool.transaction();
        for (int i = 0; i < 10; i++) {
            pipeline.add("INSERT INTO line VALUES ($1, $2)", i == 6 ? 2 : i, "word");
        }
        StatementResult last = pipeline.add("SELECT count(*) FROM line");

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
        assertThat(failure.statement()).isEqualTo(6);
        assertThat(failure.getSQLState()).isEqualTo("23505");
        assertThat((Throwable) failure)
                .hasMessageStartingWith("statement 7 of 11 failed, nothing was applied: duplicate key");
        assertThat((Throwable) last.failure()).isSameAs(failure);
        assertThat(lines()).isEmpty();
        anotherPipelineIsWell();
    }

    @Test
    void oneStatementAgainAndAgainIsOneTransaction() throws Exception {
        Pipeline pipeline = pool.transaction();
        for (int i = 0; i < 300; i++) {
            pipeline.add("INSERT INTO line VALUES ($1, $2)", i == 250 ? 1 : i, "word");
        }

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat((Throwable) failure).hasMessageStartingWith("statement 251 of 300 failed, nothing was applied");
        assertThat(lines()).isEmpty();
        anotherPipelineIsWell();
    }

    /** A procedure may commit in its middle, unless it is in a transaction. */
    @Test
    void aProcedureCannotDivideAPipeline() throws Exception {
        execute("CREATE PROCEDURE halves() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO line VALUES (1, 'x'); COMMIT;"
                + " INSERT INTO line VALUES (1, 'x'); END $$");
        Pipeline pipeline = pool.transaction();
        pipeline.add("CALL halves()");

        assertThat(catchThrowableOfType(PipelineException.class, pipeline::send).outcome())
                .isEqualTo(PipelineOutcome.NOTHING_APPLIED);

        assertThat(lines()).isEmpty();
    }

    private void anotherPipelineIsWell() throws PipelineException {
        Pipeline next = pool.transaction();
        StatementResult answer = next.add("SELECT 41 + $1::int", 1);
        next.send();
        assertThat(answer.row().number(0)).isEqualTo(42);
    }

    /** Of one statement again and again, which is a transaction without BEGIN and COMMIT, and of several. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommitThatFailsIsNoSuccess(boolean mixed) throws Exception {
        execute("ALTER TABLE line ADD CONSTRAINT words UNIQUE (word) DEFERRABLE INITIALLY DEFERRED");
        Pipeline pipeline = pool.transaction();
        pipeline.add("INSERT INTO line VALUES ($1, 'same')", 1);
        pipeline.add("INSERT INTO line VALUES ($1, 'same')", 2);
        if (mixed) {
            pipeline.add("SELECT 1");
        }

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
        assertThat((Throwable) failure)
                .hasMessageStartingWith("the transaction could not be committed, nothing was applied");
        assertThat(lines()).isEmpty();
    }

    /** The statements before it must not be committed without it. */
    @Test
    void aParameterThatDoesNotFitIsFoundBeforeAnythingIsSent() throws Exception {
        Pipeline pipeline = pool.transaction();
        pipeline.add("INSERT INTO line VALUES ($1, $2)", 1, "one");
        pipeline.add("INSERT INTO line VALUES ($1, $2)", "two", "two");

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
        assertThat((Throwable) failure)
                .hasMessageStartingWith(
                        "statement 2 failed before anything was sent: parameter $1 is not a whole number");
        assertThat(lines()).isEmpty();
        anotherPipelineIsWell();
    }

    @Test
    void aStatementThatCannotBePreparedIsNamed() throws Exception {
        Pipeline pipeline = pool.transaction();
        pipeline.add("INSERT INTO line VALUES (1, 'one')");
        pipeline.add("SELECT * FROM nowhere");

        PipelineException failure = catchThrowableOfType(PipelineException.class, pipeline::send);

        assertThat(failure.statement()).isEqualTo(1);
        assertThat(failure.getSQLState()).isEqualTo("42P01");
        assertThat(lines()).isEmpty();
    }

    /** The driver would prepare it late, behind the COMMIT. */
    @Test
    void aParameterOfNoTypeIsRefused() {
        Pipeline pipeline = pool.transaction();
        pipeline.add("SELECT $1 IS NULL", "what");

        assertThat(catchThrowableOfType(PipelineException.class, pipeline::send).outcome())
                .isEqualTo(PipelineOutcome.NOTHING_APPLIED);
    }

    @Test
    void independentStatementsFailByThemselves() throws Exception {
        Pipeline pipeline = pool.independent();
        StatementResult first = pipeline.add("INSERT INTO line VALUES ($1, $2)", 1, "one");
        StatementResult again = pipeline.add("INSERT INTO line VALUES ($1, $2)", 1, "one");
        StatementResult second = pipeline.add("INSERT INTO line VALUES ($1, $2)", 2, "two");

        pipeline.send();

        assertThat(first.changed()).isEqualTo(1);
        assertThat((Throwable) again.failure()).hasMessageStartingWith("statement 2 of 3 failed: duplicate key");
        assertThatThrownBy(again::rows).isSameAs(again.failure());
        assertThat(second.changed()).isEqualTo(1);
        assertThat(lines()).containsExactly("1|one", "2|two");
    }

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
        try (var small = PipelinePool.open(url(database), PipelineLimits.DEFAULT.withSize(2, 1_000, 10))) {
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
        try (var small = PipelinePool.open(url(database), PipelineLimits.DEFAULT.withSize(3, 1_000, 10))) {
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
        try (var small = PipelinePool.open(url(database), PipelineLimits.DEFAULT.withPrepared(5))) {
            for (int i = 0; i < 20; i++) {
                Pipeline pipeline = small.transaction();
                pipeline.add("SELECT 'often'");
                pipeline.add("SELECT 'once " + i + "'");
                pipeline.send();
            }
            Pipeline look = small.transaction();
            // the pipeline's own question for types, and this one
            StatementResult kept =
                    look.add("SELECT count(*) FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prep%'");
            look.send();

            assertThat(kept.row().number(0)).isEqualTo(4);
            assertThat(small.statistics().prepared()).isEqualTo(22);
            assertThat(small.statistics().reused()).isEqualTo(19);
        }
    }

    @Test
    void aTableThatChangedIsNoFailure() throws Exception {
        Pipeline before = pool.transaction();
        before.add("SELECT * FROM line");
        before.send();
        execute("ALTER TABLE line ADD COLUMN more int DEFAULT 7");

        Pipeline after = pool.transaction();
        after.add("INSERT INTO line VALUES (1, 'one')");
        StatementResult answer = after.add("SELECT * FROM line");
        after.send();

        assertThat(answer.row().values()).containsExactly(1L, "one", 7);
    }

    @Test
    void valuesComeAsTheyWent() throws Exception {
        UUID uuid = UUID.randomUUID();
        Pipeline pipeline = pool.transaction();
        StatementResult answer = pipeline.add(
                """
                SELECT $1::int2, $2::int8, $3::numeric, $4::float8, $5::bool, $6::text, $7::uuid, $8::bytea, $9::inet, $10::cidr,
                  $11::jsonb, $12::timestamptz, $13::int8[], $14::text[], $15::cidr, NULL::int, $16::jsonb ->> 'a', 'NaN'::numeric,
                  '10.1.2.3/8'::inet""",
                7,
                4294967295L,
                new BigDecimal("1.50"),
                2.5,
                true,
                "ä\u0001",
                uuid,
                new byte[] {0, -1},
                "192.0.2.1",
                "2001:db8::/32",
                "{\"b\": [1, null]}",
                Instant.parse("2026-01-02T03:04:05.123456Z"),
                new long[] {1, 2},
                Arrays.asList("x", null),
                "10.0.0.0/8",
                Map.of("a", "json"));
        pipeline.send();

        assertThat(answer.row().values())
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(Arrays.asList(
                        (short) 7,
                        4294967295L,
                        new BigDecimal("1.50"),
                        2.5,
                        true,
                        "ä\u0001",
                        uuid,
                        new byte[] {0, -1},
                        "192.0.2.1",
                        "2001:db8::/32",
                        "{\"b\":[1,null]}",
                        OffsetDateTime.parse("2026-01-02T03:04:05.123456Z"),
                        List.of(1L, 2L),
                        Arrays.asList("x", null),
                        "10.0.0.0/8",
                        null,
                        "json",
                        Double.NaN,
                        "10.1.2.3/8"));
    }

    @Test
    void aColumnThatTheDriverCannotReadIsNotNull() {
        Pipeline pipeline = pool.transaction();
        pipeline.add("SELECT '08:00:2b:01:02:03'::macaddr AS mac");

        assertThatThrownBy(pipeline::send).hasMessageContaining("cannot read column mac");
    }

    @Test
    void exhaustionIsAClearError() throws Exception {
        var limits = PipelineLimits.DEFAULT.withConnections(1, 1, Duration.ofMillis(300));
        try (var one = PipelinePool.open(url(database), limits);
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
        try (var few = PipelinePool.open(url(database), limits);
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
        await().atMost(20, SECONDS).until(() -> sleepers().size() == 1);
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

    @Test
    void aServerThatIsNotThereIsNamed() {
        try (var none = PipelinePool.open("jdbc:postgresql://127.0.0.1:1/x?user=y", PipelineLimits.DEFAULT)) {
            assertThatThrownBy(() -> none.ping(Duration.ofSeconds(5)))
                    .hasMessageContaining("cannot connect to PostgreSQL at 127.0.0.1:1");
        }
    }
}
