package dev.silkroute.app.redecode;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The BMP messages in the table {@code bmp.quarantine} that have not been decoded since. Not thread-safe. */
final class Quarantine {
    private static final String IS_OPEN = "kafka_record IS NULL AND session_id IS NOT NULL AND redecoded_at IS NULL";
    private static final String FIND = "SELECT DISTINCT ON (q.session_id, sequence)"
            + " q.session_id, sequence >> 16, r.name, host(r.address), received_at"
            + " FROM (SELECT * FROM bmp.quarantine WHERE " + IS_OPEN + ") q LEFT JOIN bmp.router r USING (router_id)"
            + " WHERE (CAST(? AS text) IS NULL OR r.name = ?)"
            + " AND (CAST(? AS timestamptz) IS NULL OR received_at >= ?)"
            + " AND (CAST(? AS timestamptz) IS NULL OR received_at < ?) ORDER BY q.session_id, sequence";
    private static final String COUNT_KAFKA_RECORDS =
            "SELECT count(*) FROM bmp.quarantine WHERE kafka_record IS NOT NULL AND redecoded_at IS NULL";
    private static final String BYTES =
            "SELECT bytes FROM bmp.quarantine WHERE " + IS_OPEN + " AND session_id = ? AND sequence = ? LIMIT 1";
    private static final String MARK = "UPDATE bmp.quarantine SET redecoded_at = clock_timestamp() WHERE " + IS_OPEN
            + " AND (session_id, sequence) IN (SELECT * FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[])))";
    private static final int ROWS_PER_FETCH = 10_000;

    private final Connection connection;

    /** Receives the messages that {@link #find} finds. */
    @FunctionalInterface
    interface Visitor {
        void message(MessageId id, String router, @Nullable String address, long receivedMicros);
    }

    /** Identifies a message by its session and its number within it. */
    record MessageId(long session, long message) {}

    Quarantine(Connection connection) {
        this.connection = connection;
    }

    /** Passes on the messages that the options select, those of each session in their order. */
    void find(RedecodeOptions options, Visitor visitor) throws SQLException {
        connection.setAutoCommit(false); // the driver fetches rows in batches only inside a transaction
        try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setFetchSize(ROWS_PER_FETCH);
            find.setString(1, options.router());
            find.setString(2, options.router());
            setTime(find, 3, options.from());
            setTime(find, 5, options.to());
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    String router = row.getString(3);
                    visitor.message(
                            new MessageId(row.getLong(1), row.getLong(2)),
                            router == null ? "unknown" : router,
                            row.getString(4),
                            ChronoUnit.MICROS.between(
                                    Instant.EPOCH,
                                    row.getObject(5, OffsetDateTime.class).toInstant()));
                }
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static void setTime(PreparedStatement statement, int index, @Nullable Instant time) throws SQLException {
        OffsetDateTime value = time == null ? null : time.atOffset(ZoneOffset.UTC);
        statement.setObject(index, value, java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setObject(index + 1, value, java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
    }

    /** Returns how many Kafka records are in quarantine. They contain no BMP messages and cannot be redecoded. */
    long countKafkaRecords() throws SQLException {
        return Sql.number(connection, COUNT_KAFKA_RECORDS);
    }

    /** Returns the bytes of a message, empty if it is not in quarantine any more. */
    byte[] bytes(MessageId id) throws SQLException {
        return Sql.first(connection, BYTES, row -> row.getBytes(1), id.session(), sequence(id))
                .orElseGet(() -> new byte[0]);
    }

    /** Marks messages as decoded. */
    void mark(Collection<MessageId> decoded) throws SQLException {
        Sql.update(
                connection,
                MARK,
                Sql.array(
                        connection,
                        "bigint",
                        decoded.stream().map(MessageId::session).toList()),
                Sql.array(
                        connection,
                        "bigint",
                        decoded.stream().map(Quarantine::sequence).toList()));
    }

    /** Returns the sequence number of a message: its number above 16 bits for the events within it. */
    private static long sequence(MessageId id) {
        return id.message() << 16;
    }
}
