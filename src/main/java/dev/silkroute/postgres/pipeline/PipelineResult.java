package dev.silkroute.postgres.pipeline;

import io.vertx.pgclient.PgException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a pipeline, and its effect on the database. */
final class PipelineResult {
    private final Pipeline pipeline;
    private final List<StatementBatch> batches;
    private @Nullable Throwable endFailure;
    private @Nullable String sessionEnded;
    private boolean abandoned;
    private boolean aborted;

    PipelineResult(Pipeline pipeline, List<StatementBatch> batches) {
        this.pipeline = pipeline;
        this.batches = batches;
    }

    void endFailed(Throwable reason) {
        endFailure = reason;
    }

    /**
     * Returns whether the transaction needs BEGIN and COMMIT. PostgreSQL treats a single batch as a transaction anyway
     * and commits it before it reports that it is ready.
     */
    boolean isExplicit() {
        return pipeline.isTransaction()
                && (batches.size() > 1
                        || pipeline.isReadOnly()
                        || !FirstWord.isQuery(
                                batches.getFirst().answers().getFirst().sql()));
    }

    /** Records that a statement could not be written, so that the transaction is rolled back. */
    void abort() {
        aborted = true;
    }

    /** Records that the pipeline timed out. */
    void abandon() {
        abandoned = true;
        batches.forEach(StatementBatch::freeze);
    }

    /** Records that the server ended the session. It has not begun any statement after the one in progress. */
    void sessionEnded(String message) {
        if (isExplicit() && batches.stream().anyMatch(batch -> !batch.isOver())) {
            sessionEnded = message;
        }
    }

    /**
     * Stores the results.
     *
     * @throws PipelineException if the transaction failed or, for independent statements, the connection was lost
     */
    void report() throws PipelineException {
        if (pipeline.isTransaction()) {
            reportTransaction();
        } else {
            reportEach();
        }
    }

    private void reportTransaction() throws PipelineException {
        StatementBatch failed = batches.stream()
                .filter(batch -> batch.failure() != null)
                .findFirst()
                .orElse(null);
        PipelineOutcome outcome = outcome(failed);
        if (failed == null && outcome == PipelineOutcome.APPLIED) {
            fill();
            return;
        }
        PipelineException failure = failed != null
                        && failed.failure() != null
                        && (aborted || !isLoss(failed.failure()))
                        && !failed.allExecuted()
                ? ofStatement(failed.failed(), failed.failure(), outcome)
                : ofEnd(outcome);
        pipeline.statements().forEach(enqueued -> enqueued.result().fail(failure));
        throw failure;
    }

    private PipelineOutcome outcome(@Nullable StatementBatch failed) {
        Throwable reason = failed == null ? null : failed.failure();
        // After a failed statement, COMMIT acts as ROLLBACK without an error; also if a result was too large.
        boolean never = aborted
                || sessionEnded != null
                || batches.stream().anyMatch(batch -> batch.failure() instanceof PgException);
        if (never) {
            return PipelineOutcome.NOTHING_APPLIED;
        }
        if (abandoned) {
            return PipelineOutcome.UNKNOWN;
        }
        if (!isExplicit() && reason != null && isLoss(reason)) {
            return PipelineOutcome.UNKNOWN;
        }
        if (endFailure == null) {
            return PipelineOutcome.APPLIED;
        }
        return endFailure instanceof PgException ? PipelineOutcome.NOTHING_APPLIED : PipelineOutcome.UNKNOWN;
    }

    /** Stores the results of a transaction that was committed; fails if a result cannot be decoded. */
    private void fill() throws PipelineException {
        for (StatementBatch batch : batches) {
            try {
                batch.fill();
            } catch (IllegalArgumentException e) {
                PipelineException failure = ofStatement(batch.answers().getFirst(), e, PipelineOutcome.APPLIED);
                pipeline.statements().forEach(enqueued -> enqueued.result().fail(failure));
                throw failure;
            }
        }
    }

    private void reportEach() throws PipelineException {
        PipelineException loss = null;
        for (StatementBatch batch : batches) {
            Throwable reason = batch.failure();
            StatementResult answer = batch.answers().getFirst();
            if (!batch.isOver() || reason != null && isLoss(reason)) {
                loss = loss == null ? ofEnd(PipelineOutcome.UNKNOWN) : loss;
                answer.fail(loss);
            } else if (reason != null) {
                answer.fail(ofStatement(
                        answer,
                        reason,
                        reason instanceof PgException ? PipelineOutcome.NOTHING_APPLIED : PipelineOutcome.APPLIED));
            } else {
                try {
                    batch.fill();
                } catch (IllegalArgumentException e) {
                    answer.fail(ofStatement(answer, e, PipelineOutcome.APPLIED));
                }
            }
        }
        if (loss != null) {
            throw loss;
        }
    }

    private static boolean isLoss(Throwable reason) {
        return !(reason instanceof PgException
                || reason instanceof IllegalStateException
                || reason instanceof IllegalArgumentException);
    }

    private PipelineException ofStatement(StatementResult answer, Throwable reason, PipelineOutcome outcome) {
        return new PipelineException(
                name(answer) + " failed" + consequence(outcome) + ": " + text(reason) + ": "
                        + Pipeline.shortened(answer.sql()),
                reason instanceof PgException error ? error.getSqlState() : null,
                outcome,
                answer.number(),
                reason);
    }

    private String name(StatementResult answer) {
        return answer.number() == PipelineException.NO_STATEMENT
                ? "the settings"
                : "statement " + (answer.number() + 1) + " of "
                        + pipeline.statements().size();
    }

    private PipelineException ofEnd(PipelineOutcome outcome) {
        Throwable reason = endFailure == null ? batches.getLast().failure() : endFailure;
        if (reason instanceof PgException error) {
            return new PipelineException(
                    "the transaction could not be committed" + consequence(outcome) + ": " + text(error),
                    error.getSqlState(),
                    outcome,
                    PipelineException.NO_STATEMENT,
                    error);
        }
        String what = sessionEnded != null
                ? "PostgreSQL ended the session: " + sessionEnded
                : abandoned ? "no response arrived in time" : "the connection was lost";
        return new PipelineException(
                what + consequence(outcome), "08006", outcome, PipelineException.NO_STATEMENT, reason);
    }

    private String consequence(PipelineOutcome outcome) {
        return switch (outcome) {
            case NOTHING_APPLIED -> pipeline.isTransaction() ? ", nothing was applied" : "";
            case APPLIED -> ", but it was applied";
            case UNKNOWN ->
                pipeline.isTransaction()
                        ? ", and it is unknown whether the transaction was committed"
                        : ", and it is unknown whether the statements without a response were executed";
        };
    }

    /** The message of the server or the driver in one line. */
    static String text(Throwable reason) {
        if (reason instanceof PgException error) {
            String detail = error.getDetail() == null ? "" : " (" + error.getDetail() + ")";
            return error.getErrorMessage() + detail + " [" + error.getSqlState() + "]";
        }
        return reason.getMessage() == null ? reason.toString() : reason.getMessage();
    }
}
