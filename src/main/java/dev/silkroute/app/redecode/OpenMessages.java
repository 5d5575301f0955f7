package dev.silkroute.app.redecode;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The BMP messages in quarantine that were not decoded since. */
final class OpenMessages {
    private static final String OPEN = "kafka_record IS NULL AND session_id IS NOT NULL AND redecoded_at IS NULL";
    private static final String FIND = "SELECT DISTINCT ON (q.session_id, sequence)"
            + " q.session_id, sequence >> 16, r.name, host(r.address), received_at"
            + " FROM (SELECT * FROM bmp.quarantine WHERE " + OPEN + ") q LEFT JOIN bmp.router r USING (router_id)"
            + " WHERE (CAST(? AS text) IS NULL OR r.name = ?)"
            + " AND (CAST(? AS timestamptz) IS NULL OR received_at >= ?)"
            + " AND (CAST(? AS timestamptz) IS NULL OR received_at < ?) ORDER BY q.session_id, sequence";
    private static final String RECORDS =
            "SELECT count(*) FROM bmp.quarantine" + " WHERE kafka_record IS NOT NULL AND redecoded_at IS NULL";
    private static final String BYTES =
            "SELECT bytes FROM bmp.quarantine WHERE " + OPEN + " AND session_id = ? AND sequence = ? LIMIT 1";
    private static final String MARK = "UPDATE bmp.quarantine SET redecoded_at = clock_timestamp() WHERE " + OPEN
            + " AND (session_id, sequence) IN (SELECT * FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[])))";
    private static final int ROWS_PER_FETCH = 10_000;

    private final Connection connection;

    /** One message: where it stands and whose it is. */
    @FunctionalInterface
    interface Found {
        void message(long session, long message, String router, @Nullable String address, long receivedMicros);
    }

    /** A message's place: its session and its number in it. */
    record Place(long session, long message) {}

    OpenMessages(Connection connection) {
        this.connection = connection;
    }

    void find(RedecodeOptions options, Found found) throws SQLException {
        connection.setAutoCommit(false); // rows come in portions only inside a transaction
        try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setFetchSize(ROWS_PER_FETCH);
            find.setString(1, options.router());
            find.setString(2, options.router());
            time(find, 3, options.from());
            time(find, 5, options.to());
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    String router = row.getString(3);
                    found.message(
                            row.getLong(1),
                            row.getLong(2),
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

    private static void time(PreparedStatement statement, int index, @Nullable Instant time) throws SQLException {
        OffsetDateTime value = time == null ? null : time.atOffset(ZoneOffset.UTC);
        statement.setObject(index, value, java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setObject(index + 1, value, java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
    }

    /** Kafka records in quarantine: no BMP messages, so there is nothing to decode. */
    long kafkaRecords() throws SQLException {
        try (PreparedStatement count = connection.prepareStatement(RECORDS);
                ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    byte[] bytes(Place place) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(BYTES)) {
            find.setLong(1, place.session());
            find.setLong(2, place.message() << 16);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? row.getBytes(1) : new byte[0];
            }
        }
    }

    void mark(Collection<Place> decoded) throws SQLException {
        List<Place> places = List.copyOf(decoded);
        try (PreparedStatement mark = connection.prepareStatement(MARK)) {
            Array sessions = connection.createArrayOf(
                    "bigint", places.stream().map(Place::session).toArray());
            Array sequences = connection.createArrayOf(
                    "bigint",
                    places.stream().map(place -> place.message() << 16).toArray());
            mark.setArray(1, sessions);
            mark.setArray(2, sequences);
            mark.executeUpdate();
        }
    }
}
