package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Text;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Stores records that a lane cannot use in {@code bmp.quarantine} and logs one line for each. A record that is
 * delivered again, or to another lane, is stored once.
 */
public final class Quarantine {
    private static final System.Logger LOGGER = System.getLogger(Quarantine.class.getName());
    private static final String INSERT =
            "INSERT INTO bmp.quarantine (received_at, kafka_record, byte_offset, reason, bytes)"
                    + " VALUES (clock_timestamp(), ?, ?, ?, ?) ON CONFLICT DO NOTHING";

    /** For {@link #add}: the reason belongs to no offset. */
    public static final int NO_OFFSET = -1;

    private Quarantine() {}

    /**
     * @param reason why it cannot be used
     * @param offset the offset of the invalid byte, or {@link #NO_OFFSET}
     */
    public static void add(LaneTransaction transaction, LaneRecord<byte[]> record, String reason, int offset)
            throws SQLException {
        insert(transaction.connection(), record, reason, offset);
        transaction.afterCommit(() -> log(record, reason));
    }

    private static void insert(Connection connection, LaneRecord<byte[]> record, String reason, int offset)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, record.place());
            if (offset == NO_OFFSET) {
                insert.setNull(2, Types.INTEGER);
            } else {
                insert.setInt(2, offset);
            }
            insert.setString(3, Text.clean(reason));
            insert.setBytes(4, record.value());
            insert.executeUpdate();
        }
    }

    private static void log(LaneRecord<byte[]> record, String reason) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Quarantined record {0} ({1} bytes): {2}",
                record.place(),
                Integer.toString(record.value().length),
                reason);
    }
}
