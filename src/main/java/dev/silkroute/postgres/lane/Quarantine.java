package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Text;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Puts records that a lane can't use into {@code bmp.quarantine}, with one line in the log. A record that comes again, or
 * to another lane, is kept once.
 */
public final class Quarantine {
    private static final System.Logger LOGGER = System.getLogger(Quarantine.class.getName());
    private static final String INSERT =
            "INSERT INTO bmp.quarantine (received_at, kafka_record, byte_offset, reason, bytes)"
                    + " VALUES (clock_timestamp(), ?, ?, ?, ?) ON CONFLICT DO NOTHING";

    /** For {@link #add}: the reason has no place in the bytes. */
    public static final int NO_OFFSET = -1;

    private Quarantine() {}

    /**
     * @param reason what is wrong with it
     * @param offset the byte where it is wrong or {@link #NO_OFFSET}
     */
    public static void add(LaneTransaction transaction, LaneRecord<byte[]> record, String reason, int offset)
            throws SQLException {
        insert(transaction.connection(), record, reason, offset);
        transaction.afterCommit(() -> tell(record, reason));
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

    private static void tell(LaneRecord<byte[]> record, String reason) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Record {0} ({1} bytes) is in quarantine: {2}",
                record.place(),
                Integer.toString(record.value().length),
                reason);
    }
}
