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
    /**
     * The position of a record and, if a record with other bytes has the same, a hash of its own: its topic was deleted
     * and created again.
     */
    private static final String ID =
            "CASE WHEN EXISTS (SELECT FROM bmp.quarantine q WHERE q.kafka_record = r.id AND q.bytes IS DISTINCT FROM"
                    + " r.bytes) THEN r.id || ' ' || md5(r.bytes) ELSE r.id END";

    private static final String RECORD = " FROM (SELECT CAST(? AS text) AS id, CAST(? AS bytea) AS bytes) r";
    private static final String INSERT =
            "INSERT INTO bmp.quarantine (received_at, kafka_record, bytes, byte_offset, reason) SELECT"
                    + " clock_timestamp(), " + ID + ", r.bytes, CAST(? AS integer), ?" + RECORD
                    + " ON CONFLICT DO NOTHING";
    private static final String INSERT_BATCH =
            "INSERT INTO bmp.quarantine (received_at, kafka_record, bytes, reason, session_id, sequence, router_id) SELECT"
                    + " clock_timestamp(), " + ID
                    + ", r.bytes, ?, CAST(? AS bigint), CAST(? AS bigint), (SELECT router_id FROM bmp.router WHERE name = ?)"
                    + RECORD + " ON CONFLICT DO NOTHING";

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
        Sql.update(transaction.connection(), INSERT, byteOffset, Text.clean(reason), record.id(), record.value());
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
                Text.clean(reason),
                batch.sessionId(),
                sequence,
                Text.clean(batch.router()),
                record.id(),
                record.value());
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
