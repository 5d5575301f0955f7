package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import java.sql.SQLException;

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
        Integer byteOffset = offset == NO_OFFSET ? null : offset;
        Sql.update(transaction.connection(), INSERT, record.id(), byteOffset, Text.clean(reason), record.value());
        transaction.afterCommit(() -> log(record, reason));
    }

    private static void log(LaneRecord<byte[]> record, String reason) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Quarantined record {0} ({1} bytes): {2}",
                record.id(),
                Integer.toString(record.value().length),
                reason);
    }
}
