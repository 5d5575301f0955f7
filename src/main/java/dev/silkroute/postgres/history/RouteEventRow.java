package dev.silkroute.postgres.history;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A row of {@code bmp.route_event}: the only place in Java that lists its columns and writes their values. In SQL the
 * type {@code bmp.event} is that list, and rows that the station generates come from {@link SyntheticWithdrawals}.
 */
public final class RouteEventRow {
    /** The columns in the order in which {@link #write} writes them. */
    public static final String COLUMNS =
            "received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view, action, synthetic,"
                    + " attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason";

    private static final int COLUMN_COUNT = 18;
    /** The values of the column {@code action}. */
    private static final int WITHDRAW = 0;

    private static final int ANNOUNCE = 1;

    private RouteEventRow() {}

    /** Begins a COPY into a table with these columns. */
    static CopyTable copyInto(Connection connection, String table) throws SQLException {
        return CopyTable.into(connection, table + " (" + COLUMNS + ")");
    }

    /** Writes the event at which the cursor stands. The peer's id must be known. */
    static void write(CopyTable copy, RouteBatch batch, RouteCursor event, BatchPeers peers) throws SQLException {
        CopyBinary row = copy.row(COLUMN_COUNT);
        NlriReader nlri = event.nlri();
        row.timestamp(batch.receivedAtMicros());
        if (event.routerTimeMicros() == 0) {
            row.nullField();
        } else {
            row.timestamp(event.routerTimeMicros());
        }
        row.int8(batch.sessionId());
        row.int8(event.sequence());
        if (nlri.hasPathId()) {
            row.unsigned(nlri.pathId());
        } else {
            row.nullField();
        }
        if (nlri.hasRd()) {
            row.int8(nlri.rd());
        } else {
            row.nullField();
        }
        row.int4(peers.known(event.peerIndex()));
        row.int4(event.family());
        row.int2(batch.peer(event.peerIndex()).view().code());
        row.int2(event.kind() == EventKind.ANNOUNCE ? ANNOUNCE : WITHDRAW);
        row.bool(event.synthetic());
        if (event.attributeSet() < 0) {
            row.nullField();
        } else {
            row.uuid(batch.hashHigh(event.attributeSet()), batch.hashLow(event.attributeSet()));
        }
        if (nlri.isPrefix()) {
            row.cidr(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
            row.nullField();
        } else {
            row.nullField();
            row.bytea(batch.bytes(), nlri.from(), nlri.to());
        }
        if (nlri.labelCount() == 0) {
            row.nullField();
        } else {
            row.int4Array(Labels.of(nlri));
        }
        row.text(nlri.isPrefix() ? null : NlriText.of(event.family(), batch.bytes(), nlri.from(), nlri.to()));
        Markings.write(row, event.marking());
    }
}
