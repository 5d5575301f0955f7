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
 * Removes the rows of routes that ended without an explicit withdrawal: with their peer, with their session, or
 * because a table that was sent again no longer has them. Each becomes a synthetic withdrawal in the history, in the
 * transaction that removes its row and in the name of the event that caused it. Transactions are small, so that no lane
 * waits long.
 *
 * <p>The tasks are in the database ({@code rib_ended}, {@code rib_resync}). Any number of stations may work on them at
 * once, and after a crash another one continues after the last committed transaction. Not thread-safe.
 */
public final class Withdrawals {
    private final int batchSize;
    private final Partitions partitions = new Partitions();

    private final BooleanSupplier goOn;
    private final @Nullable WithdrawalOutbox outbox;
    private final WithdrawalStatistics statistics = new WithdrawalStatistics();

    /**
     * @param batchSize maximum number of rows that one transaction removes
     * @param goOn asked between transactions
     */
    public Withdrawals(int batchSize, BooleanSupplier goOn) {
        this(batchSize, goOn, null);
    }

    /**
     * @param outbox where each withdrawal waits for a topic; a purge ends while it is full. Null: the history alone has
     *     them
     */
    public Withdrawals(int batchSize, BooleanSupplier goOn, @Nullable WithdrawalOutbox outbox) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batches of " + batchSize + " rows");
        }
        this.batchSize = batchSize;
        this.goOn = goOn;
        this.outbox = outbox;
    }

    /** Returns the work that was done and that is pending. */
    public WithdrawalStatistics statistics() {
        return statistics;
    }

    /**
     * Ends tables that have been stale for too long: those of routers that have not reconnected, and of peers for which
     * a router's new session has sent no event. Their routes have then ended; {@link #purge} removes the rows.
     *
     * @param connection in auto-commit mode
     * @param staleTimeout how long the routes of a disconnected router are kept
     * @param resyncTimeout how long after the start of its session a router may send no event for a peer
     * @return tables ended
     */
    public long expire(Connection connection, Duration staleTimeout, Duration resyncTimeout) throws SQLException {
        partitions.ensureToday(connection); // a merge may withdraw the tables' routes, as of now, before a purge does
        long tables = StaleTables.end(connection, staleTimeout, resyncTimeout);
        statistics.expired(tables);
        return tables;
    }

    /**
     * Withdraws all routes that are due, until none is left, the outbox is full, or a stop is requested.
     *
     * @param connection in auto-commit mode
     * @return rows removed
     */
    public long purge(Connection connection) throws SQLException {
        try {
            return purgeAll(connection);
        } catch (SQLException e) {
            partitions.forget(); // maintenance may have dropped a partition
            throw e;
        }
    }

    private long purgeAll(Connection connection) throws SQLException {
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
                rows += purge(connection, task);
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

    private long purge(Connection connection, WithdrawalTask task) throws SQLException {
        partitions.ensure(
                connection,
                ChronoUnit.MICROS.between(Instant.EPOCH, task.receivedAt().toInstant()));
        long rows = 0;
        List<EndedRoutes.RowLocation> found;
        do {
            // Routes that a later merge confirms have higher ids; merges in progress are waited for.
            long confirmedTo =
                    task.ended() ? 0 : alone(connection, task, () -> EndedRoutes.newestConfirmed(connection));
            found = EndedRoutes.find(connection, task);
            boolean last = found.size() < EndedRoutes.ROUND;
            for (int from = 0; from < found.size() || from == 0; from += batchSize) {
                List<EndedRoutes.RowLocation> part = found.subList(from, Math.min(found.size(), from + batchSize));
                boolean finish = last && from + batchSize >= found.size();
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
        } while (found.size() == EndedRoutes.ROUND);
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

    /** A transaction's part of a task. @return rows removed; -1 if the task does not exist any more */
    private long remove(
            Connection connection,
            WithdrawalTask task,
            List<EndedRoutes.RowLocation> part,
            long confirmedTo,
            boolean finish)
            throws SQLException {
        if (!WithdrawalTasks.isInForce(connection, task)) {
            return -1;
        }
        long rows = EndedRoutes.remove(connection, task, part, confirmedTo, outbox != null);
        if (finish) {
            WithdrawalTasks.done(connection, task);
        }
        return rows;
    }
}
