package dev.silkroute.postgres.pipeline;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestPostgres;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The network fails during a pipeline: all or nothing is applied, and the sender learns the outcome as far as possible.
 */
class LostConnectionIT {
    private static final int STATEMENTS = 50;

    private DataSource database;
    private Link link;
    private PipelinePool pool;

    @BeforeEach
    void open() throws Exception {
        database = TestPostgres.database();
        try (var connection = database.getConnection()) {
            connection.createStatement().execute("CREATE TABLE line (id bigint PRIMARY KEY, word text)");
        }
        URI server = URI.create(TestPostgres.url(database).substring("jdbc:".length()));
        link = new Link(new InetSocketAddress(server.getHost(), server.getPort()));
        pool = PipelinePool.open(
                TestPostgres.url(database).replace(":" + server.getPort(), ":" + link.port()), PipelineLimits.DEFAULT);
        // From here on the connection is open, and its statements are prepared
        pipeline(-STATEMENTS, true).send();
        assertThat(count()).isEqualTo(STATEMENTS);
    }

    @AfterEach
    void close() throws Exception {
        link.cut();
        pool.close();
        link.close();
    }

    /** @param mixed of several statements, else one again and again, which needs no COMMIT of its own */
    private Pipeline pipeline(int from, boolean mixed) {
        Pipeline pipeline = pool.transaction();
        if (mixed) {
            pipeline.add("SELECT count(*) FROM line");
        }
        for (int i = 0; i < STATEMENTS; i++) {
            pipeline.add("INSERT INTO line VALUES ($1, $2)", from + i, "word");
        }
        return pipeline;
    }

    private long count() throws SQLException {
        return Long.parseLong(
                TestPostgres.query(database, "SELECT count(*) FROM line").getFirst());
    }

    private CompletableFuture<PipelineException> send(Pipeline pipeline) {
        CompletableFuture<PipelineException> failed = new CompletableFuture<>();
        Thread.startVirtualThread(() -> failed.complete(catchThrowableOfType(PipelineException.class, pipeline::send)));
        return failed;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatIsLostLeavesTheOutcomeOpen(boolean mixed) throws Exception {
        link.silence();
        CompletableFuture<PipelineException> failed = send(pipeline(0, mixed));
        await().until(() -> count() == 2 * STATEMENTS);

        link.cut();

        PipelineException failure = failed.get(20, SECONDS);
        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.UNKNOWN);
        assertThat((Throwable) failure)
                .hasMessage("the connection was lost, and it is unknown whether the transaction was committed");
        assertThat(pool.statistics().unknown()).isEqualTo(1);
        assertThat(count()).isEqualTo(2 * STATEMENTS);
    }

    /** From almost nothing to all but the COMMIT. */
    @ParameterizedTest
    @CsvSource({"3,true", "100,true", "1000,true", "2000,true", "3,false", "100,false", "1000,false", "2000,false"})
    void aPipelineOfWhichAPartArrivesIsNotApplied(int bytes, boolean mixed) throws Exception {
        link.passRequests(bytes);
        CompletableFuture<PipelineException> failed = send(pipeline(0, mixed));
        await().until(() -> link.withheldRequests() > 0);
        assertThat(failed).isNotDone();

        link.cut();

        assertThat(failed.get(20, SECONDS).outcome()).isEqualTo(PipelineOutcome.UNKNOWN);
        await().until(() -> TestPostgres.query(
                        database,
                        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND"
                                + " application_name = 'silkroute'")
                .isEmpty());
        assertThat(count()).isEqualTo(STATEMENTS);
        pipeline(0, mixed).send();
        assertThat(count()).isEqualTo(2 * STATEMENTS);
    }

    /** The error came through before the connection was lost: there is nothing open then. */
    @Test
    void anErrorThatArrivesMeansThatNothingWasApplied() throws Exception {
        Pipeline pipeline = pool.independent();
        StatementResult fails = pipeline.add("SELECT 1 / $1", 0);
        pipeline.add("SELECT pg_sleep(60)");
        CompletableFuture<PipelineException> failed = send(pipeline);
        await().until(() -> !TestPostgres.query(database, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                .isEmpty());

        link.cut();

        assertThat(failed.get(20, SECONDS).outcome()).isEqualTo(PipelineOutcome.UNKNOWN);
        assertThat((Throwable) fails.failure()).hasMessageContaining("division by zero");
        assertThat(fails.failure().outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
    }

    @Test
    void aConnectionThatWasCutWhileNobodyUsedItIsReplaced() throws Exception {
        link.cut();
        await().until(() -> {
            Pipeline pipeline = pool.transaction();
            pipeline.add("SELECT 1");
            try {
                return !pipeline.send().isEmpty();
            } catch (PipelineException e) {
                return false;
            }
        });

        assertThat(List.of(pool.statistics().opened(), pool.statistics().lost()))
                .containsExactly(2L, 1L);
    }

    @Test
    void silenceEndsWithThePipelinesLimit() throws Exception {
        link.silence();
        CompletableFuture<PipelineException> failed = send(pipeline(0, true).limit(Duration.ofMillis(500)));

        PipelineException failure = failed.get(30, SECONDS);

        assertThat(failure.outcome()).isEqualTo(PipelineOutcome.UNKNOWN);
        assertThat((Throwable) failure)
                .hasMessageStartingWith(
                        "no response arrived in time, and it is unknown whether the transaction was committed");
    }
}
