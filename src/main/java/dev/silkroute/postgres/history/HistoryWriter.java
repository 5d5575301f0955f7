package dev.silkroute.postgres.history;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.BatchWriter;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Announcements and withdrawals as rows of {@code bmp.route_event}: one COPY a list of batches. Announcements of table dumps are left
 * to {@code CurrentStateWriter}, which knows whether they say anything new. A batch
 * that was decoded again takes the place of what is there of the same messages, so it may come as often as it likes; what it announces of
 * a table that has ended since is withdrawn by its end.
 */
public final class HistoryWriter implements BatchWriter {
    /** The table of the station. */
    public static final String TABLE = "bmp.route_event";

    private static final String COLUMNS =
            " (received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view,"
                    + " action, synthetic, attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason)";
    private static final int COLUMN_COUNT = 18;

    /** The receive time finds the partition and, by its BRIN index, the few pages in it. */
    private static final String FORGET =
            "DELETE FROM %s WHERE received_at = ? AND session_id = ? AND sequence >> 16 = ANY (?) AND NOT synthetic";

    private final boolean stations;
    private final String target;
    private final String forget;
    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final Partitions partitions = new Partitions();

    public HistoryWriter(DimensionCache dimensions, AttributeSets attributes) {
        this(TABLE, dimensions, attributes);
    }

    /** @param table a table like {@value #TABLE}; partitions are made of that one only */
    public HistoryWriter(String table, DimensionCache dimensions, AttributeSets attributes) {
        target = table + COLUMNS;
        forget = FORGET.formatted(table);
        stations = table.equals(TABLE);
        this.dimensions = dimensions;
        this.attributes = attributes;
    }

    @Override
    public Prepared prepare(Connection connection, List<RouteBatch> all) throws SQLException {
        List<RouteBatch> batches = all.stream().filter(HistoryWriter::tells).toList();
        List<BatchPeers> peers = new ArrayList<>(batches.size());
        for (RouteBatch batch : batches) {
            partitions.ensure(connection, batch.receivedAtMicros());
            peers.add(peersWithRoutes(connection, batch));
        }
        Runnable known = attributes.write(connection, batches);
        return transaction -> {
            try {
                transaction.afterCommit(known);
                return store(transaction.connection(), batches, peers);
            } catch (SQLException e) {
                partitions.forget();
                throw e;
            }
        };
    }

    /** Whether something of a batch is to be told here: of most batches of a table dump nothing is, nor are their attribute sets. */
    private static boolean tells(RouteBatch batch) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (tells(batch, cursor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean tells(RouteBatch batch, RouteCursor event) {
        return event.kind().isRoute() && (!event.isTableDump() || batch.redecoded());
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

    private long store(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers) throws SQLException {
        long rows = 0;
        int from = 0;
        for (int i = 0; i < batches.size(); i++) {
            if (batches.get(i).redecoded()) {
                rows += copy(connection, batches.subList(from, i), peers.subList(from, i));
                forget(connection, batches.get(i));
                from = i;
            }
        }
        rows += copy(connection, batches.subList(from, batches.size()), peers.subList(from, peers.size()));
        return stations ? rows + RedecodedEnds.write(connection, batches) : rows;
    }

    /** Removes what was stored of the messages that the batch has routes of. */
    private void forget(Connection connection, RouteBatch batch) throws SQLException {
        Set<Long> messages = new TreeSet<>();
        RedecodedEnds.addMessages(batch, messages);
        try (PreparedStatement delete = connection.prepareStatement(forget)) {
            delete.setObject(1, Times.of(batch.receivedAtMicros()));
            delete.setLong(2, batch.sessionId());
            delete.setArray(3, connection.createArrayOf("bigint", messages.toArray()));
            delete.executeUpdate();
        }
    }

    private long copy(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers) throws SQLException {
        if (batches.isEmpty()) {
            return 0;
        }
        try (CopyTable copy = CopyTable.into(connection, target)) {
            for (int i = 0; i < batches.size(); i++) {
                RouteBatch batch = batches.get(i);
                RouteCursor cursor = batch.cursor();
                while (cursor.next()) {
                    if (tells(batch, cursor)) {
                        write(copy, batch, cursor, peers.get(i));
                    }
                }
            }
            return copy.finish();
        }
    }

    static CopyTable begin(Connection connection) throws SQLException {
        return CopyTable.into(connection, TABLE + COLUMNS);
    }

    /** The event that the cursor stands on as a row. */
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
        row.int4(peers.made(event.peerIndex()));
        row.int4(event.family());
        row.int2(batch.peer(event.peerIndex()).view().code());
        row.int2(event.kind() == EventKind.ANNOUNCE ? 1 : 0);
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
