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
 * Stores the records of {@code bmp.routes} through a {@link BatchWriter}. What is wrong with one record doesn't hold up
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
            List<LaneRecord> good = new ArrayList<>(records.size());
            List<RouteBatch> batches = new ArrayList<>(records.size());
            for (LaneRecord record : records) {
                try {
                    batches.add(RouteBatch.read(record.value()));
                    good.add(record);
                } catch (WireFormatException e) {
                    Quarantine.add(connection, record, e.reason(), e.offset());
                }
            }
            return batches.isEmpty() ? 0 : write(connection, good, batches);
        }
    }

    private long write(Connection connection, List<LaneRecord> records, List<RouteBatch> batches) throws SQLException {
        try {
            return writer.write(connection, batches);
        } catch (SQLException | WireFormatException | DecodeException e) {
            if (!isTheData(e)) {
                throw e;
            }
            if (records.size() == 1) {
                Quarantine.add(connection, records.getFirst(), String.valueOf(e.getMessage()), Quarantine.NO_OFFSET);
                return 0;
            }
        }
        long rows = 0; // one of them is bad: one by one
        for (int i = 0; i < records.size(); i++) {
            rows += write(connection, records.subList(i, i + 1), batches.subList(i, i + 1));
        }
        return rows;
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
