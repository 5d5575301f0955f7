package dev.silkroute.postgres;

import dev.silkroute.net.DecodeException;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Stores the records of {@code bmp.routes} through a {@link BatchWriter}, in a transaction that is its own. What is wrong with one record doesn't hold up
 * the others: it goes to quarantine. What is wrong with the database is thrown, nothing is stored then, and the same
 * records are to be given again.
 */
public final class RouteLane {
    private final DataSource database;
    private final BatchWriter writer;

    public RouteLane(DataSource database, BatchWriter writer) {
        this.database = database;
        this.writer = writer;
    }

    /** @return how many rows were written */
    public long write(List<LaneRecord> records) throws SQLException {
        try (Connection connection = database.getConnection()) {
            try {
                return writeAll(connection, records);
            } catch (SQLException | WireFormatException | DecodeException e) {
                if (!isTheData(e)) {
                    throw e;
                }
                return writeOneByOne(connection, records);
            }
        }
    }

    private long writeAll(Connection connection, List<LaneRecord> records) throws SQLException {
        List<RouteBatch> batches = new ArrayList<>(records.size());
        for (LaneRecord record : records) {
            batches.add(RouteBatch.read(record.value()));
        }
        BatchWriter.Prepared prepared = writer.prepare(connection, batches);
        return LaneTransaction.run(connection, prepared::write);
    }

    /** One of them is bad, so each is a part by itself; what is bad goes to quarantine, in the same transaction. */
    private long writeOneByOne(Connection connection, List<LaneRecord> records) throws SQLException {
        List<BatchWriter.Prepared> prepared = new ArrayList<>(records.size());
        for (LaneRecord record : records) {
            prepared.add(prepare(connection, record));
        }
        return LaneTransaction.run(connection, transaction -> {
            long rows = 0;
            for (int i = 0; i < records.size(); i++) {
                rows += writeOne(transaction, records.get(i), prepared.get(i));
            }
            return rows;
        });
    }

    private BatchWriter.Prepared prepare(Connection connection, LaneRecord record) throws SQLException {
        try {
            return writer.prepare(connection, List.of(RouteBatch.read(record.value())));
        } catch (WireFormatException e) {
            return transaction -> quarantine(transaction, record, e.reason(), e.offset());
        } catch (SQLException | DecodeException e) {
            if (!isTheData(e)) {
                throw e;
            }
            return transaction -> quarantine(transaction, record, String.valueOf(e.getMessage()), Quarantine.NO_OFFSET);
        }
    }

    private static long writeOne(LaneTransaction transaction, LaneRecord record, BatchWriter.Prepared prepared)
            throws SQLException {
        try {
            return transaction.part(prepared::write);
        } catch (SQLException | WireFormatException | DecodeException e) {
            if (!isTheData(e)) {
                throw e;
            }
            return quarantine(transaction, record, String.valueOf(e.getMessage()), Quarantine.NO_OFFSET);
        }
    }

    private static long quarantine(LaneTransaction transaction, LaneRecord record, String reason, int offset)
            throws SQLException {
        Quarantine.add(transaction.connection(), record, reason, offset);
        return 0;
    }

    /**
     * Whether trying again would fail again: SQLSTATE classes 22 (data exception), 23 (constraint) and 54 (a limit of the
     * program), but not a missing partition, which the next try makes.
     */
    private static boolean isTheData(Exception e) {
        if (!(e instanceof SQLException sql)) {
            return true;
        }
        String state = sql.getSQLState() == null ? "" : sql.getSQLState();
        return state.startsWith("22") || state.startsWith("54") || state.startsWith("23") && !state.equals("23514");
    }
}
