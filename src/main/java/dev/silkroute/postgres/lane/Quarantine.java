package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
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
    private static final String INSERT_BATCH =
            "INSERT INTO bmp.quarantine (received_at, kafka_record, reason, bytes, session_id, sequence, router_id)"
                    + " VALUES (clock_timestamp(), ?, ?, ?, ?, ?, (SELECT router_id FROM bmp.router WHERE name = ?))"
                    + " ON CONFLICT DO NOTHING";

    /** An argument of {@link #add}: the reason belongs to no offset. */
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

    /** Adds a route batch that cannot be stored, with its router, its session and the sequence of its first event. */
    static void add(LaneTransaction transaction, LaneRecord<byte[]> record, String reason, RouteBatch batch)
            throws SQLException {
        RouteCursor first = batch.cursor();
        Long sequence = first.next() ? first.sequence() : null;
        Sql.update(
                transaction.connection(),
                INSERT_BATCH,
                record.id(),
                Text.clean(reason),
                record.value(),
                batch.sessionId(),
                sequence,
                Text.clean(batch.router()));
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
