package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A record that is stored by itself, because it could not be stored with others: within the time that its source has,
 * in parts if that fails, each in a transaction that also records how many units are stored ({@link
 * LaneOffsets#advanceUnits}). So an interrupted attempt is continued, not repeated. Not thread-safe.
 */
final class SingleRecord<T> implements SplitRecord.Storage {
    /** SQLSTATE serialization_failure, which a lane retries. */
    private static final String TRY_AGAIN = "40001";

    private final Lane<T> lane;
    private final LaneOffsets offsets;
    private final LaneWriter<T> writer;
    private final SlowSources slow;
    private final LaneRecord<T> record;
    private final BooleanSupplier wanted;
    private final @Nullable String source;
    private final Duration limit;
    private final int units;
    private boolean failed;

    SingleRecord(
            Lane<T> lane,
            LaneOffsets offsets,
            LaneWriter<T> writer,
            SlowSources slow,
            LaneRecord<T> record,
            BooleanSupplier wanted) {
        this.lane = lane;
        this.offsets = offsets;
        this.writer = writer;
        this.slow = slow;
        this.record = record;
        this.wanted = wanted;
        source = writer.source(record.value());
        limit = slow.limit(source);
        units = Math.max(1, writer.units(record.value()));
    }

    /** Stores the record, or what is left of it, or sets aside what cannot be stored. Returns the number of rows. */
    long store() throws SQLException {
        int from = lane.limited(limit, wanted, connection -> offsets.unitsStored(connection, record));
        long rows = new SplitRecord(this, limit.multipliedBy(2).toNanos(), System::nanoTime).store(from, units);
        if (!failed) {
            slow.stored(source);
        }
        return rows;
    }

    @Override
    public long write(int from, int to) throws SQLException {
        try {
            return lane.limited(failed ? limit.dividedBy(4) : limit, wanted, connection -> write(connection, from, to));
        } catch (SQLException | RuntimeException e) {
            if (!failed && LaneProblem.isTheRecords(e)) {
                failed = true;
                slow.failed(source);
            }
            throw e;
        }
    }

    private long write(Connection connection, int from, int to) throws SQLException {
        LaneRecord<T> part = part(from, to);
        Prepared prepared = writer.prepare(connection, List.of(part));
        return LaneTransaction.run(connection, transaction -> inOrder(transaction, from, to, prepared));
    }

    @Override
    public void setAside(int from, int to, Exception problem) throws SQLException {
        LaneRecord<T> part = part(from, to);
        lane.limited(
                limit,
                wanted,
                connection -> LaneTransaction.run(
                        connection,
                        transaction -> inOrder(transaction, from, to, inside -> {
                            writer.setAside(inside, part, problem);
                            inside.afterCommit(() -> lane.statistics().setAside(to - from));
                            return 0;
                        })));
    }

    private LaneRecord<T> part(int from, int to) {
        return from == 0 && to == units
                ? record
                : new LaneRecord<>(
                        record.id() + "#" + from + "-" + (to - 1),
                        record.position(),
                        writer.part(record.value(), from, to));
    }

    /** Writes units if they continue what is stored. Another consumer of the partition may have stored them. */
    private long inOrder(LaneTransaction transaction, int from, int to, Prepared prepared) throws SQLException {
        LaneOffsets.Claim<T> claim = lane.claim(transaction, List.of(record));
        if (claim == null || claim.fresh().isEmpty()) {
            return 0;
        }
        if (claim.unitsStored(record) != from) {
            throw new SQLException("another consumer is storing " + record.id(), TRY_AGAIN);
        }
        lane.reportGaps(transaction, claim);
        long rows = prepared.write(transaction);
        if (to == units) {
            lane.done(transaction, claim, rows, 1);
        } else {
            offsets.advanceUnits(transaction, record, to);
        }
        return rows;
    }
}
