package dev.silkroute.postgres.pipeline;

import io.vertx.pgclient.PgException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a flight came back, and what that means for the database. */
final class Landing {
    private final Flight flight;
    private final List<Leg> legs;
    private @Nullable Throwable endFailure;
    private @Nullable String farewell;
    private boolean abandoned;
    private boolean turnedBack;

    Landing(Flight flight, List<Leg> legs) {
        this.flight = flight;
        this.legs = legs;
    }

    void endFailed(Throwable reason) {
        endFailure = reason;
    }

    /**
     * Whether the transaction needs BEGIN and COMMIT: what goes out as one portion is a transaction to PostgreSQL anyway, which
     * commits it before it says that it is ready.
     */
    boolean isExplicit() {
        return flight.isTransaction()
                && (legs.size() > 1
                        || flight.isReadOnly()
                        || !FirstWord.isQuery(
                                legs.getFirst().answers().getFirst().sql()));
    }

    /** A statement could not be written: if anything was, then a ROLLBACK instead of the COMMIT. */
    void turnBack() {
        turnedBack = true;
    }

    /** It did not come back in time. */
    void abandon() {
        abandoned = true;
        legs.forEach(Leg::freeze);
    }

    /** The server ended the session. What it had not answered then it never began, but the one statement it was at. */
    void farewell(String message) {
        if (isExplicit() && legs.stream().anyMatch(leg -> !leg.isOver())) {
            farewell = message;
        }
    }

    /**
     * Fills in the answers.
     *
     * @throws FlightException what went wrong with a transaction; or with the connection, if statements are independent
     */
    void report() throws FlightException {
        if (flight.isTransaction()) {
            reportTransaction();
        } else {
            reportEach();
        }
    }

    private void reportTransaction() throws FlightException {
        Leg failed =
                legs.stream().filter(leg -> leg.failure() != null).findFirst().orElse(null);
        Outcome outcome = outcome(failed);
        if (failed == null && outcome == Outcome.APPLIED) {
            fill();
            return;
        }
        FlightException failure = failed != null
                        && failed.failure() != null
                        && (turnedBack || !isLoss(failed.failure()))
                        && !failed.isThrough()
                ? ofStatement(failed.failed(), failed.failure(), outcome)
                : ofEnd(outcome);
        flight.statements().forEach(enqueued -> enqueued.answer().fail(failure));
        throw failure;
    }

    private Outcome outcome(@Nullable Leg failed) {
        Throwable reason = failed == null ? null : failed.failure();
        // After a statement that failed a COMMIT is a ROLLBACK, and no error: also behind answers that were too long
        boolean never =
                turnedBack || farewell != null || legs.stream().anyMatch(leg -> leg.failure() instanceof PgException);
        if (never) {
            return Outcome.NOTHING_APPLIED;
        }
        if (abandoned) {
            return Outcome.UNKNOWN;
        }
        if (!isExplicit() && reason != null && isLoss(reason)) {
            return Outcome.UNKNOWN;
        }
        if (endFailure == null) {
            return Outcome.APPLIED;
        }
        return endFailure instanceof PgException ? Outcome.NOTHING_APPLIED : Outcome.UNKNOWN;
    }

    /** Everything was well, or the answers can't be read. */
    private void fill() throws FlightException {
        for (Leg leg : legs) {
            try {
                leg.fill();
            } catch (IllegalArgumentException e) {
                FlightException failure = ofStatement(leg.answers().getFirst(), e, Outcome.APPLIED);
                flight.statements().forEach(enqueued -> enqueued.answer().fail(failure));
                throw failure;
            }
        }
    }

    private void reportEach() throws FlightException {
        FlightException loss = null;
        for (Leg leg : legs) {
            Throwable reason = leg.failure();
            Answer answer = leg.answers().getFirst();
            if (!leg.isOver() || reason != null && isLoss(reason)) {
                loss = loss == null ? ofEnd(Outcome.UNKNOWN) : loss;
                answer.fail(loss);
            } else if (reason != null) {
                answer.fail(ofStatement(
                        answer, reason, reason instanceof PgException ? Outcome.NOTHING_APPLIED : Outcome.APPLIED));
            } else {
                try {
                    leg.fill();
                } catch (IllegalArgumentException e) {
                    answer.fail(ofStatement(answer, e, Outcome.APPLIED));
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

    private FlightException ofStatement(Answer answer, Throwable reason, Outcome outcome) {
        return new FlightException(
                name(answer) + " failed" + consequence(outcome) + ": " + text(reason) + ": "
                        + Flight.shortened(answer.sql()),
                reason instanceof PgException said ? said.getSqlState() : null,
                outcome,
                answer.number(),
                reason);
    }

    private String name(Answer answer) {
        return answer.number() == FlightException.NO_STATEMENT
                ? "the settings"
                : "statement " + (answer.number() + 1) + " of "
                        + flight.statements().size();
    }

    private FlightException ofEnd(Outcome outcome) {
        Throwable reason = endFailure == null ? legs.getLast().failure() : endFailure;
        if (reason instanceof PgException said) {
            return new FlightException(
                    "the transaction could not be committed" + consequence(outcome) + ": " + text(said),
                    said.getSqlState(),
                    outcome,
                    FlightException.NO_STATEMENT,
                    said);
        }
        String what = farewell != null
                ? "PostgreSQL ended the session: " + farewell
                : abandoned ? "no answer came in time" : "the connection was lost";
        return new FlightException(what + consequence(outcome), "08006", outcome, FlightException.NO_STATEMENT, reason);
    }

    private String consequence(Outcome outcome) {
        return switch (outcome) {
            case NOTHING_APPLIED -> flight.isTransaction() ? ", nothing was applied" : "";
            case APPLIED -> ", but it was applied";
            case UNKNOWN ->
                flight.isTransaction()
                        ? ", and whether the transaction was committed is not known"
                        : ", and whether what was not answered was executed is not known";
        };
    }

    /** What the server or the driver said, in one line. */
    static String text(Throwable reason) {
        if (reason instanceof PgException said) {
            String detail = said.getDetail() == null ? "" : " (" + said.getDetail() + ")";
            return said.getErrorMessage() + detail + " [" + said.getSqlState() + "]";
        }
        return reason.getMessage() == null ? reason.toString() : reason.getMessage();
    }
}
