package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records of a topic through a {@link LaneWriter}, in transactions that are the lane's own and as large as {@link LaneParts}
 * says: all of a transaction's records or none, and with {@link LaneOffsets} each exactly once. What is wrong with one record doesn't hold up the others
 * if the writer can set it aside. What is wrong with the database is tried again.
 *
 * <p>Usable by several threads at once, each with its own records.
 *
 * @param <T> what the records' values are
 */
public final class Lane<T> {
    private static final System.Logger LOGGER = System.getLogger(Lane.class.getName());
    private static final long TELL_EVERY = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(200);

    private final String name;
    private final DataSource database;
    private final @Nullable LaneOffsets offsets;
    private final LaneWriter<T> writer;
    private final LaneTiming timing;
    private final LaneStatistics statistics = new LaneStatistics();

    /**
     * @param name for the log
     * @param offsets null: records are stored as often as they are given
     */
    public Lane(
            String name, DataSource database, @Nullable LaneOffsets offsets, LaneWriter<T> writer, LaneTiming timing) {
        this.name = name;
        this.database = database;
        this.offsets = offsets;
        this.writer = writer;
        this.timing = timing;
    }

    public LaneStatistics statistics() {
        return statistics;
    }

    /** Whether the lane keeps its own offsets. */
    public boolean keepsOffsets() {
        return offsets != null;
    }

    /**
     * Stores records, part by part, and tries again for as long as the database can't take them, with growing pauses. What takes too
     * long is tried with fewer records at once. Parts that are stored stay so, whatever becomes of those behind them.
     *
     * @param wanted false from when on it is to end, some seconds later at most
     * @return how many rows were written
     * @throws SQLException if the records can't be stored and there is no place to set them aside
     * @throws LaneStoppedException if the database can't take them, and they are no longer wanted to be stored
     * @throws LaneRefusedException if they don't continue where the lane stands
     */
    public long store(List<LaneRecord<T>> records, BooleanSupplier wanted) throws SQLException {
        LaneParts<T> parts = new LaneParts<>(records, writer);
        long rows = 0;
        while (!parts.over()) {
            rows += store(parts, wanted);
            parts.next();
            if (!parts.over() && !wanted.getAsBoolean()) {
                throw new LaneStoppedException(new SQLException("it stops between two transactions"));
            }
        }
        return rows;
    }

    private long store(LaneParts<T> parts, BooleanSupplier wanted) throws SQLException {
        long delay = timing.retryDelay().toMillis();
        long told = 0;
        long began = System.nanoTime();
        for (int failures = 0; ; failures++) {
            try {
                long rows = write(parts.part(), wanted);
                if (failures > 0) {
                    LOGGER.log(
                            System.Logger.Level.INFO,
                            "Lane {0} goes on after {1} s",
                            name,
                            Long.toString(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)));
                }
                return rows;
            } catch (SQLException e) {
                if (LaneProblem.isTheData(e)) {
                    throw e;
                }
                if (!wanted.getAsBoolean()) {
                    throw new LaneStoppedException(e);
                }
                statistics.retried();
                if (failures == 0 || System.nanoTime() - told > TELL_EVERY) {
                    told = System.nanoTime();
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "Lane {0} waits with {1} records for the database: {2}",
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

    private static void pause(long millis, SQLException cause, BooleanSupplier wanted) throws SQLException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            if (!wanted.getAsBoolean()) {
                throw new LaneStoppedException(cause);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(left, LOOK_EVERY));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw wanted.getAsBoolean() ? cause : new LaneStoppedException(cause);
            }
        }
    }

    /** All records in one transaction, tried once. */
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
            if (!writer.setsAside() || !LaneProblem.isTheData(e) || e instanceof LaneRefusedException) {
                throw e;
            }
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Lane {0} stores {1} records one by one, because of one of them: {2}",
                    name,
                    Integer.toString(records.size()),
                    e.toString());
            return writeOneByOne(connection, records);
        }
    }

    private long writeAll(Connection connection, List<LaneRecord<T>> records) throws SQLException {
        List<LaneRecord<T>> fresh = records;
        while (!fresh.isEmpty()) {
            List<LaneRecord<T>> asked = fresh;
            Prepared prepared = writer.prepare(connection, asked);
            Result<T> result = LaneTransaction.run(connection, transaction -> write(transaction, asked, prepared));
            if (result.fresh.size() == asked.size()) {
                return result.rows;
            }
            fresh = result.fresh;
        }
        return 0;
    }

    /** @param fresh if these are fewer than were asked for, nothing was written */
    private record Result<T>(List<LaneRecord<T>> fresh, long rows) {}

    private Result<T> write(LaneTransaction transaction, List<LaneRecord<T>> records, Prepared prepared)
            throws SQLException {
        LaneOffsets.@Nullable Claim<T> claim = claim(transaction, records);
        if (claim != null && claim.fresh().size() < records.size()) {
            return new Result<>(claim.fresh(), 0);
        }
        long rows = prepared.write(transaction);
        done(transaction, claim, rows, records.size());
        return new Result<>(records, rows);
    }

    private LaneOffsets.@Nullable Claim<T> claim(LaneTransaction transaction, List<LaneRecord<T>> records)
            throws SQLException {
        if (offsets == null) {
            return null;
        }
        LaneOffsets.Claim<T> claim;
        try {
            claim = offsets.claim(transaction, records);
        } catch (LaneRefusedException e) {
            statistics.refused();
            throw e;
        }
        int again = records.size() - claim.fresh().size();
        if (again > 0) {
            statistics.duplicates(again);
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "Lane {0} has {1} of {2} records already",
                    name,
                    Integer.toString(again),
                    Integer.toString(records.size()));
        }
        return claim;
    }

    private void done(LaneTransaction transaction, LaneOffsets.@Nullable Claim<T> claim, long rows, int records)
            throws SQLException {
        transaction.afterCommit(() -> statistics.stored(rows, records));
        if (claim == null || offsets == null) {
            return;
        }
        offsets.advance(transaction, claim);
        if (claim.gaps() > 0) {
            transaction.afterCommit(() -> tellGaps(claim));
        }
    }

    private void tellGaps(LaneOffsets.Claim<T> claim) {
        statistics.gaps(claim.gaps(), claim.skipped());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Lane {0} found {1} records gone that it had not read: the topic''s retention was over before",
                name,
                Long.toString(claim.skipped()));
    }

    /** One of them is bad, so each is a part by itself; what is bad is set aside, in the same transaction. */
    private long writeOneByOne(Connection connection, List<LaneRecord<T>> records) throws SQLException {
        List<Prepared> prepared = new ArrayList<>(records.size());
        for (LaneRecord<T> record : records) {
            prepared.add(prepare(connection, record));
        }
        return LaneTransaction.run(connection, transaction -> {
            LaneOffsets.@Nullable Claim<T> claim = claim(transaction, records);
            List<LaneRecord<T>> fresh = claim == null ? records : claim.fresh();
            long rows = 0;
            int at = 0;
            for (LaneRecord<T> record : fresh) {
                while (records.get(at) != record) {
                    at++;
                }
                rows += writeOne(transaction, record, prepared.get(at));
            }
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
        transaction.afterCommit(statistics::setAside);
        return 0;
    }
}
