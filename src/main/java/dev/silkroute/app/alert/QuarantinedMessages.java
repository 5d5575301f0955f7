package dev.silkroute.app.alert;

import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads from the table {@code bmp.quarantine} which BMP messages could not be decoded. */
public final class QuarantinedMessages {
    /** Kafka records that a lane could not store have no session. */
    private static final String NEWEST = """
        SELECT received_at FROM bmp.quarantine WHERE session_id IS NOT NULL ORDER BY id DESC LIMIT 1\
        """;

    private static final String MESSAGES = """
        SELECT r.name, inet_send(q.address), coalesce(q.asn, 0), q.session_id, q.sequence,
          (extract(epoch FROM q.received_at) * 1000000)::bigint
        FROM bmp.quarantine q JOIN bmp.router r USING (router_id)
        WHERE q.session_id IS NOT NULL AND q.received_at > timestamptz '%s' AND q.received_at <= timestamptz '%s'
        ORDER BY q.received_at, q.session_id, q.sequence\
        """;

    private static final int ROUTER = 1;
    private static final int ADDRESS = 2;
    private static final int ASN = 3;
    private static final int SESSION = 4;
    private static final int SEQUENCE = 5;
    private static final int RECEIVED_AT = 6;

    private QuarantinedMessages() {}

    /** Reads the messages of the last {@code micros} before the newest one. */
    static void readNewest(Connection connection, long micros, Consumer<UndecodableMessage> each) throws SQLException {
        Optional<Instant> newest = Sql.first(
                connection,
                NEWEST,
                row -> row.getObject(1, OffsetDateTime.class).toInstant());
        if (newest.isPresent()) {
            read(connection, newest.get().minus(micros, ChronoUnit.MICROS), newest.get(), each);
        }
    }

    /**
     * Reads the messages of a span in the order in which they were received.
     *
     * @param from exclusive
     * @param to inclusive
     */
    public static void read(Connection connection, Instant from, Instant to, Consumer<UndecodableMessage> each)
            throws SQLException {
        CopiedRow.read(connection, MESSAGES.formatted(from, to), row -> each.accept(message(row)));
    }

    private static UndecodableMessage message(CopiedRow row) {
        return new UndecodableMessage(
                new VantagePoint(row.text(ROUTER), AddressColumn.text(row, ADDRESS), row.number(ASN)),
                row.number(SESSION),
                row.number(SEQUENCE),
                row.number(RECEIVED_AT));
    }
}
