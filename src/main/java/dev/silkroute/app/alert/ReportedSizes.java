package dev.silkroute.app.alert;

import dev.silkroute.alert.ReportedSize;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.postgres.copy.CopiedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.function.Consumer;

/** Reads from the table {@code bmp.statistic} how many routes routers have reported. */
public final class ReportedSizes {
    /** In the order of reports, and within a report of types: of several that are about one table, the last counts. */
    private static final String SIZES = """
        SELECT r.name, inet_send(s.address), s.asn, s.session_id, s.sequence,
          (extract(epoch FROM s.received_at) * 1000000)::bigint, s.type, s.peer_type = 3, s.afi << 8 | s.safi,
          least(s.value, 9223372036854775807)::bigint
        FROM bmp.statistic s JOIN bmp.router r USING (router_id)
        WHERE s.received_at > timestamptz '%s' AND s.received_at <= timestamptz '%s' AND s.peer_type <> 1
          AND s.type IN (9, 10, 16, 17, 19, 21) AND s.value IS NOT NULL AND s.afi IS NOT NULL
        ORDER BY s.received_at, s.session_id, s.sequence, s.type, s.ordinal\
        """;

    private static final int ROUTER = 1;
    private static final int ADDRESS = 2;
    private static final int ASN = 3;
    private static final int SESSION = 4;
    private static final int SEQUENCE = 5;
    private static final int RECEIVED_AT = 6;
    private static final int TYPE = 7;
    private static final int LOC_RIB = 8;
    private static final int FAMILY = 9;
    private static final int VALUE = 10;

    private ReportedSizes() {}

    /**
     * Reads the numbers of a span in the order in which they were received.
     *
     * @param from exclusive
     * @param to inclusive
     */
    public static void read(Connection connection, Instant from, Instant to, Consumer<ReportedSize> each)
            throws SQLException {
        CopiedRow.read(connection, SIZES.formatted(from, to), row -> {
            RibView view = ReportedSize.view(row.integer(TYPE), row.bool(LOC_RIB));
            if (view != null && ReportedSize.isCounted(row.integer(FAMILY))) {
                each.accept(new ReportedSize(
                        new VantagePoint(row.text(ROUTER), AddressColumn.text(row, ADDRESS), row.number(ASN)),
                        view,
                        row.integer(FAMILY),
                        row.number(VALUE),
                        row.number(SESSION),
                        row.number(SEQUENCE),
                        row.number(RECEIVED_AT)));
            }
        });
    }
}
