package dev.silkroute.postgres.pipeline;

import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Executes one pipeline on one connection: prepares new statements, checks all parameters, sends, waits and evaluates
 * the result.
 */
final class PipelineSender {
    private static final String SETTINGS =
            "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS setting(name, value)";

    /** The time that a cancelled pipeline may take to end before its connection is closed. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final PipelineConnection connection;
    private final Pipeline pipeline;
    private final PipelineStatistics statistics;
    private final long deadline;
    private boolean interrupted;

    PipelineSender(PipelineConnection connection, Pipeline pipeline, PipelineStatistics statistics) {
        this.connection = connection;
        this.pipeline = pipeline;
        this.statistics = statistics;
        deadline = System.nanoTime() + pipeline.limit().toNanos();
    }

    void send() throws PipelineException {
        try {
            PipelineResult result = execute();
            try {
                result.report();
            } catch (PipelineException e) {
                if (!isStale(e)) {
                    throw e;
                }
                // Nothing was applied: a table has changed since its statement was prepared.
                connection.statements().remove(SETTINGS);
                pipeline.statements()
                        .forEach(enqueued -> connection.statements().remove(enqueued.sql()));
                pipeline.statements().forEach(enqueued -> enqueued.result().reset());
                execute().report();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isStale(PipelineException e) {
        return pipeline.isTransaction()
                && e.outcome() == PipelineOutcome.NOTHING_APPLIED
                && e.getCause() instanceof PgException error
                && ("26000".equals(error.getSqlState())
                        || "0A000".equals(error.getSqlState())
                                && error.getErrorMessage().startsWith("cached plan"));
    }

    private PipelineResult execute() throws PipelineException {
        Set<String> wanted = new LinkedHashSet<>();
        if (!pipeline.settings().isEmpty()) {
            wanted.add(SETTINGS);
        }
        pipeline.statements().forEach(enqueued -> wanted.add(enqueued.sql()));
        Map<String, Throwable> rejected = prepare(wanted);
        List<StatementBatch> batches = batches(rejected);
        CompletableFuture<PipelineResult> completed = connection.send(pipeline, batches);
        try {
            return await(completed);
        } catch (TimeoutException | InterruptedException e) {
            interrupted |= e instanceof InterruptedException;
            return cancel(completed);
        }
    }

    private Map<String, Throwable> prepare(Set<String> wanted) throws PipelineException {
        PreparedStatements statements = connection.statements();
        List<String> missing = statements.missing(wanted);
        statistics.prepared.add(missing.size());
        statistics.reused.add(wanted.size() - missing.size());
        if (missing.isEmpty()) {
            return Map.of();
        }
        statements.makeRoom(missing.size(), wanted);
        try {
            PipelineConnection.Preparation preparation = await(connection.prepare(missing));
            statements.putAll(preparation.prepared());
            return preparation.rejected();
        } catch (TimeoutException | InterruptedException e) {
            interrupted |= e instanceof InterruptedException;
            statistics.cancelled.increment();
            connection.close();
            throw PipelineException.nothing("cancelled before it was sent", "57014", e);
        }
    }

    /** Binds the parameters. Consecutive executions of the same statement in a transaction form one batch. */
    private List<StatementBatch> batches(Map<String, Throwable> rejected) throws PipelineException {
        List<StatementBatch> batches = new ArrayList<>();
        Map<String, String> settings = pipeline.settings();
        if (!settings.isEmpty()) {
            StatementResult answer = new StatementResult(PipelineException.NO_STATEMENT, SETTINGS);
            StatementBatch batch = new StatementBatch(prepared(answer, rejected));
            batch.add(
                    answer,
                    batch.prepared().bind(List.of(List.copyOf(settings.keySet()), List.copyOf(settings.values()))));
            batches.add(batch);
        }
        @Nullable StatementBatch last = null;
        for (Pipeline.Enqueued enqueued : pipeline.statements()) {
            StatementResult answer = enqueued.result();
            try {
                PreparedSql prepared = prepared(answer, rejected);
                if (last == null || !pipeline.isTransaction() || last.prepared() != prepared) {
                    last = new StatementBatch(prepared);
                    batches.add(last);
                }
                last.add(answer, prepared.bind(enqueued.parameters()));
            } catch (IllegalArgumentException e) {
                throw before(answer, e);
            }
        }
        return batches;
    }

    private PreparedSql prepared(StatementResult answer, Map<String, Throwable> rejected) throws PipelineException {
        PreparedSql prepared = connection.statements().get(answer.sql());
        if (prepared == null) {
            throw before(answer, rejected.getOrDefault(answer.sql(), new IllegalStateException("not prepared")));
        }
        return prepared;
    }

    private static PipelineException before(StatementResult answer, Throwable reason) {
        return new PipelineException(
                "statement " + (answer.number() + 1) + " failed before anything was sent: "
                        + PipelineResult.text(reason) + ": " + Pipeline.shortened(answer.sql()),
                reason instanceof PgException error ? error.getSqlState() : "22000",
                PipelineOutcome.NOTHING_APPLIED,
                answer.number(),
                reason);
    }

    /**
     * Cancels the statement in progress and waits for the result. The cancel request may arrive after the end of the
     * pipeline, so the connection is never used again. It cancels one statement only, so independent statements are not
     * awaited.
     */
    private PipelineResult cancel(CompletableFuture<PipelineResult> completed) throws PipelineException {
        statistics.cancelled.increment();
        connection.cancel();
        try {
            PipelineResult result = pipeline.isTransaction() ? awaitEnd(completed) : null;
            if (result == null) {
                connection.abandon();
                result = awaitEnd(completed);
            }
            if (result == null) {
                throw new PipelineException(
                        "no response arrived in time",
                        "08006",
                        PipelineOutcome.UNKNOWN,
                        PipelineException.NO_STATEMENT,
                        null);
            }
            return result;
        } finally {
            connection.close();
        }
    }

    private @Nullable PipelineResult awaitEnd(CompletableFuture<PipelineResult> completed) {
        long end = System.nanoTime() + GRACE.toNanos();
        while (true) {
            try {
                return completed.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException e) {
                return null;
            }
        }
    }

    private <T> T await(Future<T> future) throws PipelineException, TimeoutException, InterruptedException {
        try {
            return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw PipelineException.nothing("the connection was lost before the pipeline was sent", "08006", reason);
        }
    }
}
