package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of a topic through a {@link LaneWriter} in transactions whose size {@link LaneParts} limits:
 * either all records of a transaction or none and, with {@link LaneOffsets}, each record exactly once. Failures of the
 * database are retried. A record that cannot be stored, because of its data or because it takes too much time or
 * memory, does not block the others if the writer can set it aside: each record is then stored by itself and, if that
 * fails too, split ({@link SplitRecord}).
 *
 * <p>Usable by several threads at once, each with its own records.
 *
 * @param <T> the type of the records' values
 */
public final class Lane<T> {
    private static final System.Logger LOGGER = System.getLogger(Lane.class.getName());
    private static final long LOG_INTERVAL = TimeUnit.SECONDS.toNanos(10);
    private static final long CHECK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

    private final String name;
    private final DataSource database;
    private final @Nullable LaneOffsets offsets;
    private final LaneWriter<T> writer;
    private final LaneTiming timing;
    private final SlowSources slow;
    private final LaneStatistics statistics = new LaneStatistics();

    /**
     * @param name the name in log messages
     * @param offsets the lane's offsets; null: a record is stored as often as it is given
     */
    public Lane(
            String name, DataSource database, @Nullable LaneOffsets offsets, LaneWriter<T> writer, LaneTiming timing) {
        this.name = name;
        this.database = database;
        this.offsets = offsets;
        this.writer = writer;
        this.timing = timing;
        slow = new SlowSources(timing.transactionLimit());
    }

    public LaneStatistics statistics() {
        return statistics;
    }

    /** Returns whether the lane keeps its own offsets. */
    public boolean keepsOffsets() {
        return offsets != null;
    }

    /**
     * Stores records in one transaction after the other, and retries with growing pauses while the database is
     * unavailable. A transaction that takes too long is retried with fewer records, down to a part of one. Committed
     * transactions stay committed whatever happens to later ones.
     *
     * @param wanted false once the call is to end, which it does within some seconds
     * @return the number of rows written
     * @throws SQLException if a record cannot be stored and the writer cannot set it aside
     * @throws LaneStoppedException if the call ended before everything was stored, because it is no longer wanted
     * @throws LaneRejectedException if the records do not continue at the lane's offset
     */
    public long store(List<LaneRecord<T>> records, BooleanSupplier wanted) throws SQLException {
        LaneParts<T> parts = new LaneParts<>(records, writer, slow);
        long rows = 0;
        while (!parts.over()) {
            rows += store(parts, wanted);
            parts.next();
            if (!parts.over() && !wanted.getAsBoolean()) {
                throw new LaneStoppedException(new SQLException("the lane was stopped between two transactions"));
            }
        }
        return rows;
    }

    private long store(LaneParts<T> parts, BooleanSupplier wanted) throws SQLException {
        long delay = timing.retryDelay().toMillis();
        long lastLogged = 0;
        long began = System.nanoTime();
        for (int failures = 0; ; failures++) {
            try {
                long rows = parts.isIsolated()
                        ? new SingleRecord<>(
                                        this,
                                        offsets(),
                                        writer,
                                        slow,
                                        parts.part().getFirst(),
                                        wanted)
                                .store()
                        : write(parts.part(), wanted);
                if (failures > 0) {
                    LOGGER.log(
                            System.Logger.Level.INFO,
                            "Lane {0} recovered after {1} s",
                            name,
                            Long.toString(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)));
                }
                return rows;
            } catch (SQLException | RuntimeException problem) {
                if (isolates(parts, problem)) {
                    continue;
                }
                if (!(problem instanceof SQLException e) || LaneProblem.isTheData(e)) {
                    throw problem;
                }
                if (!wanted.getAsBoolean()) {
                    throw new LaneStoppedException(e);
                }
                statistics.retried();
                if (failures == 0 || System.nanoTime() - lastLogged > LOG_INTERVAL) {
                    lastLogged = System.nanoTime();
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "Lane {0} cannot store {1} records, retrying: {2}",
                            name,
                            Integer.toString(parts.part().size()),
                            e.getMessage());
                }
                if (LaneProblem.isTooMuch(e)) {
                    parts.halve();
                }
                pause(delay, e, wanted);
                delay = Math.min(delay * 2, timing.maximumRetryDelay().toMillis());
            }
        }
    }

    /**
     * Returns whether the records of a part are now to be stored one by one, because one of them may be the problem.
     */
    private boolean isolates(LaneParts<T> parts, Exception problem) {
        if (offsets == null
                || !writer.setsAside()
                || parts.isIsolated()
                || !LaneProblem.isTheRecords(problem) && !(problem instanceof LaneProblem.PartlyStored)) {
            return false;
        }
        statistics.retried();
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Lane {0} stores {1} records one by one, because one of them cannot be stored: {2}",
                name,
                Integer.toString(parts.part().size()),
                problem.toString());
        parts.isolate();
        return true;
    }

    private static void pause(long millis, SQLException cause, BooleanSupplier wanted) throws SQLException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            if (!wanted.getAsBoolean()) {
                throw new LaneStoppedException(cause);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(left, CHECK_INTERVAL));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw wanted.getAsBoolean() ? cause : new LaneStoppedException(cause);
            }
        }
    }

    /** Writes all records in one transaction, without retrying. */
    public long write(List<LaneRecord<T>> records, BooleanSupplier wanted) throws SQLException {
        try (Connection connection = database.getConnection();
                Watch watch = Watch.over(connection, timing.transactionLimit(), wanted)) {
            try {
                return write(connection, records);
            } catch (SQLException e) {
                throw watch.tookTooLong() ? new LaneProblem.TooLong(e) : e;
            }
        }
    }

    private long write(Connection connection, List<LaneRecord<T>> records) throws SQLException {
        try {
            return writeAll(connection, records);
        } catch (SQLException | RuntimeException e) {
            if (!writer.setsAside() || !LaneProblem.isTheData(e) || e instanceof LaneRejectedException) {
                throw e;
            }
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Lane {0} stores {1} records one by one, because one of them is invalid: {2}",
                    name,
                    Integer.toString(records.size()),
                    e.toString());
            return writeOneByOne(connection, records);
        }
    }

    private long writeAll(Connection connection, List<LaneRecord<T>> records) throws SQLException {
        List<LaneRecord<T>> fresh = records;
        while (!fresh.isEmpty()) {
            List<LaneRecord<T>> current = fresh;
            Prepared prepared = writer.prepare(connection, current);
            Result<T> result = LaneTransaction.run(connection, transaction -> write(transaction, current, prepared));
            if (result.fresh.size() == current.size()) {
                return result.rows;
            }
            fresh = result.fresh;
        }
        return 0;
    }

    /** @param fresh the records that are not stored yet; if these are fewer than were given, nothing was written */
    private record Result<T>(List<LaneRecord<T>> fresh, long rows) {}

    private Result<T> write(LaneTransaction transaction, List<LaneRecord<T>> records, Prepared prepared)
            throws SQLException {
        LaneOffsets.@Nullable Claim<T> claim = claim(transaction, records);
        if (claim != null && claim.fresh().size() < records.size()) {
            return new Result<>(claim.fresh(), 0);
        }
        if (claim != null && claim.continuesRecord()) {
            throw new LaneProblem.PartlyStored();
        }
        reportGaps(transaction, claim);
        long rows = prepared.write(transaction);
        reportInnerGaps(transaction, claim);
        done(transaction, claim, rows, records.size());
        return new Result<>(records, rows);
    }

    /** Again, because a session that began before the gap has just been stored as one of which nothing is missing. */
    private void reportInnerGaps(LaneTransaction transaction, LaneOffsets.@Nullable Claim<T> claim)
            throws SQLException {
        for (LaneGap gap : claim == null ? List.<LaneGap>of() : claim.innerGaps()) {
            writer.missed(transaction, gap);
        }
    }

    private LaneOffsets offsets() {
        return Objects.requireNonNull(offsets, "records are isolated only in a lane that keeps its offsets");
    }

    /** Work on a connection in auto-commit mode. */
    @FunctionalInterface
    interface Work<R> {
        R run(Connection connection) throws SQLException;
    }

    /**
     * Runs work in which each statement may take a limited time. Waiting for a lock counts as a failure of the
     * database before that, because the data are not the cause.
     */
    <R> R limited(Duration limit, BooleanSupplier wanted, Work<R> work) throws SQLException {
        try (Connection connection = database.getConnection();
                Watch watch = Watch.over(connection, timing.transactionLimit(), wanted)) {
            long millis = Math.max(2, limit.toMillis());
            Sql.update(connection, "SET statement_timeout = " + millis);
            Sql.update(connection, "SET lock_timeout = " + millis / 2);
            R result;
            try {
                result = work.run(connection);
            } catch (SQLException | RuntimeException e) {
                try {
                    resetTimeouts(connection);
                } catch (SQLException broken) {
                    e.addSuppressed(broken);
                }
                if (watch.tookTooLong() && e instanceof SQLException sql) {
                    throw new LaneProblem.TooLong(sql);
                }
                throw e;
            }
            resetTimeouts(connection);
            return result;
        }
    }

    private static void resetTimeouts(Connection connection) throws SQLException {
        Sql.update(connection, "RESET statement_timeout");
        Sql.update(connection, "RESET lock_timeout");
    }

    LaneOffsets.@Nullable Claim<T> claim(LaneTransaction transaction, List<LaneRecord<T>> records) throws SQLException {
        if (offsets == null) {
            return null;
        }
        LaneOffsets.Claim<T> claim;
        try {
            claim = offsets.claim(transaction, records);
        } catch (LaneRejectedException e) {
            statistics.rejected();
            throw e;
        }
        int again = records.size() - claim.fresh().size();
        if (again > 0) {
            statistics.duplicates(again);
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "Lane {0} has already stored {1} of {2} records",
                    name,
                    Integer.toString(again),
                    Integer.toString(records.size()));
        }
        return claim;
    }

    void done(LaneTransaction transaction, LaneOffsets.@Nullable Claim<T> claim, long rows, int records)
            throws SQLException {
        transaction.afterCommit(() -> statistics.stored(rows, records, transaction.superseded()));
        if (claim == null || offsets == null) {
            return;
        }
        offsets.advance(transaction, claim);
    }

    /** Lets the writer record, before it writes what comes next, what is missing. */
    void reportGaps(LaneTransaction transaction, LaneOffsets.@Nullable Claim<T> claim) throws SQLException {
        if (claim == null) {
            return;
        }
        for (LaneGap gap : claim.gaps()) {
            writer.missed(transaction, gap);
            transaction.afterCommit(() -> log(gap));
        }
    }

    private void log(LaneGap gap) {
        statistics.gap(gap.records());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "{1} records expired before lane {0} consumed them ({2}): the topic''s retention is shorter than the"
                        + " lane''s lag",
                name,
                Long.toString(gap.records()),
                gap);
    }

    /**
     * Writes each record under a savepoint of its own, because one is invalid. Invalid ones are set aside in the same
     * transaction.
     */
    private long writeOneByOne(Connection connection, List<LaneRecord<T>> records) throws SQLException {
        List<Prepared> prepared = new ArrayList<>(records.size());
        for (LaneRecord<T> record : records) {
            prepared.add(prepare(connection, record));
        }
        return LaneTransaction.run(connection, transaction -> {
            LaneOffsets.@Nullable Claim<T> claim = claim(transaction, records);
            List<LaneRecord<T>> fresh = claim == null ? records : claim.fresh();
            reportGaps(transaction, claim);
            long rows = 0;
            int at = 0;
            for (LaneRecord<T> record : fresh) {
                while (records.get(at) != record) {
                    at++;
                }
                rows += writeOne(transaction, record, prepared.get(at));
            }
            reportInnerGaps(transaction, claim);
            done(transaction, claim, rows, fresh.size());
            return rows;
        });
    }

    private Prepared prepare(Connection connection, LaneRecord<T> record) throws SQLException {
        try {
            return writer.prepare(connection, List.of(record));
        } catch (SQLException | RuntimeException e) {
            if (!LaneProblem.isTheData(e)) {
                throw e;
            }
            return transaction -> setAside(transaction, record, e);
        }
    }

    private long writeOne(LaneTransaction transaction, LaneRecord<T> record, Prepared prepared) throws SQLException {
        try {
            return transaction.part(prepared::write);
        } catch (SQLException | RuntimeException e) {
            if (!LaneProblem.isTheData(e)) {
                throw e;
            }
            return setAside(transaction, record, e);
        }
    }

    private long setAside(LaneTransaction transaction, LaneRecord<T> record, Exception problem) throws SQLException {
        writer.setAside(transaction, record, problem);
        transaction.afterCommit(() -> statistics.setAside(1));
        return 0;
    }
}
