package dev.silkroute.perf.state;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Events;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * Every route of the tables into the station's table, whether it is there already or not: COPY to a temporary table and
 * one {@code INSERT … ON CONFLICT DO UPDATE} each portion. The rows are encoded before.
 */
final class UpsertContender extends StationContender {
    private static final int FIELDS = 9;
    private static final int ROW_BYTES = 160;
    private static final int DIMENSIONS = 1_000;

    private static final String COLUMNS =
            "prefix, rd, path_id, peer_id, family, rib_view, session_id, last_changed, attribute_hash";

    private static final String TEMPORARY = "CREATE TEMPORARY TABLE incoming (prefix cidr, rd bigint, path_id bigint,"
            + " peer_id integer, family integer, rib_view smallint, session_id bigint, last_changed timestamptz, attribute_hash uuid)"
            + " ON COMMIT DELETE ROWS";

    private static final String UPSERT =
            "INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view,"
                    + " session_id, first_seen, last_changed, attribute_hash) SELECT prefix, '', rd, path_id, peer_id, family, rib_view,"
                    + " session_id, last_changed, last_changed, attribute_hash FROM incoming"
                    + " ON CONFLICT (prefix, peer_id, rib_view, family, rd, path_id, nlri) DO UPDATE SET"
                    + " session_id = excluded.session_id, last_changed = excluded.last_changed, attribute_hash = excluded.attribute_hash";

    private final List<byte[]> portions = new ArrayList<>();

    UpsertContender(TransactionFeed feed) {
        super("plain upsert, unchanged", TABLES, feed);
    }

    @Override
    protected void prepare(Database database) throws Exception {
        super.prepare(database);
        if (portions.isEmpty()) {
            DimensionCache dimensions = new DimensionCache(DIMENSIONS);
            try (Connection connection = database.source().getConnection()) {
                for (List<byte[]> records : feed().transactions()) {
                    portions.add(encode(connection, dimensions, records));
                }
            }
        }
    }

    private static byte[] encode(Connection connection, DimensionCache dimensions, List<byte[]> records)
            throws SQLException {
        CopyBinary rows = new CopyBinary(records.size() * ROW_BYTES);
        rows.header();
        Map<RouteBatch, BatchPeers> peers = new IdentityHashMap<>();
        Events.forEach(records, (batch, event, _) -> {
            BatchPeers ids = peers.get(batch);
            if (ids == null) {
                ids = new BatchPeers(dimensions, connection, batch);
                BatchPeers.resolve(List.of(ids), false);
                peers.put(batch, ids);
            }
            row(rows, batch, event, ids.known(event.peerIndex()), batch.peer(event.peerIndex()));
        });
        rows.trailer();
        return Arrays.copyOf(rows.array(), rows.length());
    }

    private static void row(CopyBinary row, RouteBatch batch, RouteCursor event, int peerId, PeerEntry peer) {
        NlriReader nlri = event.nlri();
        row.row(FIELDS);
        row.cidr(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        row.int8(0);
        row.int8(-1);
        row.int4(peerId);
        row.int4(event.family());
        row.int2(peer.view().code());
        row.int8(batch.sessionId());
        row.timestamp(batch.receivedAtMicros());
        row.uuid(batch.hashHigh(event.attributeSet()), batch.hashLow(event.attributeSet()));
    }

    @Override
    protected void run(Database database) throws Exception {
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TEMPORARY);
            for (byte[] portion : portions) {
                connection.setAutoCommit(false);
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn(
                                "COPY incoming (" + COLUMNS + ") FROM STDIN (FORMAT binary)",
                                new ByteArrayInputStream(portion));
                statement.execute(UPSERT);
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
    }

    /** Compares routes only, because this database does not receive the routers' session events. */
    @Override
    protected String check(Database database) throws SQLException {
        return super.check(database).replaceFirst(" \\d+$", " 0");
    }
}
