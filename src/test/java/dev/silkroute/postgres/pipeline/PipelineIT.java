package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the statements of a pipeline are applied together or not at all, and what their failures report. */
class PipelineIT extends PipelineHarness {
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
    void aParameterOfNoTypeIsRejected() {
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
                  '10.1.2.3/8'::inet\
                """,
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
    void aServerThatIsNotThereIsNamed() {
        try (var none = PipelinePool.open("jdbc:postgresql://127.0.0.1:1/x?user=y", PipelineLimits.DEFAULT)) {
            assertThatThrownBy(() -> none.ping(Duration.ofSeconds(5)))
                    .hasMessageContaining("cannot connect to PostgreSQL at 127.0.0.1:1");
        }
    }
}
