package dev.silkroute.postgres;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Every announcement and withdrawal as a row of {@code bmp.route_event}: one COPY, one transaction a list of batches. */
public final class HistoryWriter implements BatchWriter {
    private static final String COLUMNS =
            "bmp.route_event (received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view,"
                    + " action, synthetic, attr, prefix, nlri, labels, nlri_as_text)";
    private static final int COLUMN_COUNT = 16;

    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final Partitions partitions = new Partitions();

    public HistoryWriter(DimensionCache dimensions, AttributeSets attributes) {
        this.dimensions = dimensions;
        this.attributes = attributes;
    }

    @Override
    public long write(Connection connection, List<RouteBatch> batches) throws SQLException {
        try {
            List<BatchPeers> peers = new ArrayList<>(batches.size());
            for (RouteBatch batch : batches) {
                partitions.ensure(connection, batch.receivedAtMicros());
                peers.add(peersWithRoutes(connection, batch));
            }
            AttributeSets.Written[] written = new AttributeSets.Written[1];
            long rows = Transaction.run(connection, () -> {
                written[0] = attributes.write(connection, batches);
                return copy(connection, batches, peers);
            });
            attributes.committed(written[0]);
            return rows;
        } catch (SQLException e) {
            partitions.forget();
            throw e;
        }
    }

    /** While a COPY runs, the connection answers nothing else: the ids have to be known before. */
    private BatchPeers peersWithRoutes(Connection connection, RouteBatch batch) throws SQLException {
        BatchPeers peers = new BatchPeers(dimensions, connection, batch);
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind().isRoute()) {
                peers.make(cursor.peerIndex());
            }
        }
        return peers;
    }

    private static long copy(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers)
            throws SQLException {
        try (CopyTable copy = CopyTable.into(connection, COLUMNS)) {
            for (int i = 0; i < batches.size(); i++) {
                RouteBatch batch = batches.get(i);
                RouteCursor cursor = batch.cursor();
                while (cursor.next()) {
                    if (cursor.kind().isRoute()) {
                        writeRow(copy.row(COLUMN_COUNT), batch, cursor, peers.get(i));
                    }
                }
            }
            return copy.finish();
        }
    }

    private static void writeRow(CopyBinary row, RouteBatch batch, RouteCursor event, BatchPeers peers) {
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
        row.int4(peers.made(event.peerIndex()));
        row.int4(event.family());
        row.int2(batch.peer(event.peerIndex()).view().code());
        row.int2(event.kind() == EventKind.ANNOUNCE ? 1 : 0);
        row.bool(event.synthetic());
        if (event.attributes() < 0) {
            row.nullField();
        } else {
            row.uuid(batch.hashHigh(event.attributes()), batch.hashLow(event.attributes()));
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
    }
}
