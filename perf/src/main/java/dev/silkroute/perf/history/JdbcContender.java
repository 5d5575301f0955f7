package dev.silkroute.perf.history;

import dev.silkroute.net.Addresses;
import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Events;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The same records read, and the same rows sent as a batch of INSERTs that pgjdbc joins (reWriteBatchedInserts). */
final class JdbcContender extends StationContender {
    private static final String INSERT = "INSERT INTO bmp.route_event (" + COLUMNS + ") VALUES (" + "?"
            + ", ?".repeat(COLUMNS.split(",", -1).length - 1) + ")";
    private static final int BATCH = 1_000;

    private final Map<RouterPeer, Integer> peers = new HashMap<>();
    private int batched;

    private record RouterPeer(String router, PeerEntry peer) {}

    JdbcContender(TransactionFeed feed) {
        super("JDBC batch", true, feed);
    }

    @Override
    protected void run(Database database) throws Exception {
        peers.clear();
        try (Connection connection = database.source().getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (List<byte[]> records : feed().transactions()) {
                findPeers(connection, records);
                connection.setAutoCommit(false);
                Events.forEach(records, (batch, event, _) -> add(insert, batch, event));
                insert.executeBatch();
                batched = 0;
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
    }

    private void findPeers(Connection connection, List<byte[]> records) throws SQLException {
        DimensionCache dimensions = new DimensionCache(1_000);
        Events.forEach(records, (batch, event, _) -> {
            RouterPeer key = new RouterPeer(batch.router(), batch.peer(event.peerIndex()));
            if (!peers.containsKey(key)) {
                BatchPeers ids = new BatchPeers(dimensions, connection, batch);
                BatchPeers.resolve(List.of(ids), false);
                peers.put(key, ids.known(event.peerIndex()));
            }
        });
    }

    private void add(PreparedStatement insert, RouteBatch batch, RouteCursor event) throws SQLException {
        boolean announced = event.kind() == EventKind.ANNOUNCE;
        PeerEntry peer = batch.peer(event.peerIndex());
        insert.setObject(1, time(batch.receivedAtMicros()));
        insert.setObject(
                2,
                event.routerTimeMicros() == 0 ? null : time(event.routerTimeMicros()),
                Types.TIMESTAMP_WITH_TIMEZONE);
        insert.setLong(3, batch.sessionId());
        insert.setLong(4, event.sequence());
        insert.setNull(5, Types.BIGINT);
        insert.setNull(6, Types.BIGINT);
        insert.setInt(7, Objects.requireNonNull(peers.get(new RouterPeer(batch.router(), peer))));
        insert.setInt(8, event.family());
        insert.setShort(9, (short) peer.view().code());
        insert.setShort(10, (short) (announced ? 1 : 0));
        insert.setBoolean(11, event.synthetic());
        insert.setObject(
                12,
                announced ? new UUID(batch.hashHigh(event.attributeSet()), batch.hashLow(event.attributeSet())) : null,
                Types.OTHER);
        insert.setObject(
                13,
                Addresses.prefix(
                        event.nlri().ipv6(),
                        event.nlri().addressHigh(),
                        event.nlri().addressLow(),
                        event.nlri().prefixLength()),
                Types.OTHER);
        insert.setNull(14, Types.BINARY);
        insert.setNull(15, Types.ARRAY);
        insert.setNull(16, Types.VARCHAR);
        insert.setNull(17, Types.BIGINT);
        insert.setNull(18, Types.INTEGER);
        insert.addBatch();
        if (++batched == BATCH) {
            insert.executeBatch();
            batched = 0;
        }
    }

    private static OffsetDateTime time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
