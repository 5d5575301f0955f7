package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.history.Partitions;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.RouterLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes away the rows of routes that are gone without the router having withdrawn each: with their peer, with their session, or because
 * a table that was sent anew had them no more. Each becomes a synthetic withdrawal in the history, in the transaction that
 * removes its row and in the name of the event that caused it. Transactions are small, so that no lane waits long.
 *
 * <p>What is to be done is in the database ({@code rib_ended}, {@code rib_resync}); any number of stations may do it at once,
 * and after a crash another goes on where the last transaction ended. Not thread-safe.
 */
public final class Withdrawals {
    private final int slice;
    private final Partitions partitions = new Partitions();

    private final BooleanSupplier goOn;
    private final @Nullable WithdrawalOutbox outbox;
    private final WithdrawalStatistics statistics = new WithdrawalStatistics();

    /**
     * @param slice most rows that one transaction removes
     * @param goOn asked between transactions
     */
    public Withdrawals(int slice, BooleanSupplier goOn) {
        this(slice, goOn, null);
    }

    /** @param outbox where each withdrawal waits for a topic; a sweep ends while it is full. Null: the history alone has them */
    public Withdrawals(int slice, BooleanSupplier goOn, @Nullable WithdrawalOutbox outbox) {
        if (slice < 1) {
            throw new IllegalArgumentException("slices of " + slice + " rows");
        }
        this.slice = slice;
        this.goOn = goOn;
        this.outbox = outbox;
    }

    /** What has been done, and what is to be done. */
    public WithdrawalStatistics statistics() {
        return statistics;
    }

    /**
     * Ends what has been stale for too long: the tables of routers that did not come back, and of peers that a router's new session
     * hasn't mentioned. Their routes are gone from then on; {@link #sweep} removes the rows.
     *
     * @param connection in auto-commit mode
     * @param away how long a router may be away
     * @param unmentioned how long after the begin of its session a router may not have spoken of a peer
     * @return tables ended
     */
    public long expire(Connection connection, Duration away, Duration unmentioned) throws SQLException {
        long tables = StaleTables.end(connection, away, unmentioned);
        statistics.expired(tables);
        return tables;
    }

    /**
     * Removes what is to be removed, until there is nothing, the outbox is full, or it is told to stop.
     *
     * @param connection in auto-commit mode
     * @return rows removed
     */
    public long sweep(Connection connection) throws SQLException {
        try {
            return sweepAll(connection);
        } catch (SQLException e) {
            partitions.forget(); // it may be that upkeep has taken a day away
            throw e;
        }
    }

    private long sweepAll(Connection connection) throws SQLException {
        List<WithdrawalTask> tasks = tasks(connection);
        if (!hasRoom(connection)) { // asked also where there is nothing to do, because it counts those that wait
            return 0;
        }
        long rows = 0;
        while (!tasks.isEmpty()) {
            for (WithdrawalTask task : tasks) {
                if (!goesOn(connection)) {
                    return rows;
                }
                rows += sweep(connection, task);
                statistics.waiting(Math.max(0, statistics.waitingTables() - 1));
            }
            tasks = tasks(connection);
        }
        return rows;
    }

    private boolean goesOn(Connection connection) throws SQLException {
        return goOn.getAsBoolean() && hasRoom(connection);
    }

    /** Rows that may not be removed yet lie where they are: hidden, or stale. */
    private boolean hasRoom(Connection connection) throws SQLException {
        if (outbox == null) {
            return true;
        }
        long waiting = WithdrawalOutbox.waiting(connection);
        statistics.waitingWithdrawals(waiting);
        return !outbox.full(waiting);
    }

    private List<WithdrawalTask> tasks(Connection connection) throws SQLException {
        WithdrawalTasks tasks = WithdrawalTasks.read(connection);
        statistics.waiting(tasks.waiting());
        return tasks.first();
    }

    private long sweep(Connection connection, WithdrawalTask task) throws SQLException {
        partitions.ensure(
                connection,
                ChronoUnit.MICROS.between(Instant.EPOCH, task.receivedAt().toInstant()));
        long rows = 0;
        List<GoneRoutes.Place> found;
        do {
            // What a merge confirms from here on has a higher number: merges that are under way are waited for.
            long confirmedTo = task.ended() ? 0 : alone(connection, task, () -> GoneRoutes.newestConfirmed(connection));
            found = GoneRoutes.find(connection, task);
            boolean last = found.size() < GoneRoutes.ROUND;
            for (int from = 0; from < found.size() || from == 0; from += slice) {
                List<GoneRoutes.Place> part = found.subList(from, Math.min(found.size(), from + slice));
                boolean finish = last && from + slice >= found.size();
                long removed = alone(connection, task, () -> remove(connection, task, part, confirmedTo, finish));
                if (removed < 0) {
                    return rows;
                }
                rows += removed;
                statistics.withdrawn(task.cause(), removed);
                if (!goesOn(connection)) {
                    return rows;
                }
            }
        } while (found.size() == GoneRoutes.ROUND);
        return rows;
    }

    @FunctionalInterface
    private interface Step {
        long run() throws SQLException;
    }

    private static long alone(Connection connection, WithdrawalTask task, Step step) throws SQLException {
        return LaneTransaction.run(connection, transaction -> {
            RouterLocks.own(connection, task.router());
            return step.run();
        });
    }

    /** A transaction's part of a task. @return rows removed; -1 if the task is no more */
    private long remove(
            Connection connection, WithdrawalTask task, List<GoneRoutes.Place> part, long confirmedTo, boolean finish)
            throws SQLException {
        if (!WithdrawalTasks.isInForce(connection, task)) {
            return -1;
        }
        long rows = GoneRoutes.remove(connection, task, part, confirmedTo, outbox != null);
        if (finish) {
            WithdrawalTasks.done(connection, task);
        }
        return rows;
    }
}
