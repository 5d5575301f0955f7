package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Reads what a lane has stored together with its offsets, in one snapshot of the database. */
public final class LaneSnapshot {
    private static final String OFFSETS =
            "SELECT kafka_partition, next_offset, coalesce(max_timestamp_ms, -1) FROM bmp.lane_offset WHERE lane = ?"
                    + " AND topic_id = ?";

    private LaneSnapshot() {}

    /** Reads rows. */
    @FunctionalInterface
    public interface Reader {
        void read(Connection connection) throws SQLException;
    }

    /**
     * @param connection in auto-commit mode; left so
     * @param lane the lane whose offsets to return
     * @param topicId of the topic that the lane reads
     * @return the lane's offsets by partition, of the partitions from which it has stored records
     */
    public static Map<Integer, LaneOffset> read(Connection connection, String lane, UUID topicId, Reader reader)
            throws SQLException {
        int isolation = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try {
            Map<Integer, LaneOffset> offsets = new HashMap<>();
            Sql.query(
                    connection,
                    OFFSETS,
                    row -> offsets.put(row.getInt(1), new LaneOffset(row.getLong(2), row.getLong(3))),
                    lane,
                    topicId);
            reader.read(connection);
            return offsets;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            connection.setTransactionIsolation(isolation);
        }
    }
}
