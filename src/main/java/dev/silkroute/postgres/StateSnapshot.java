package dev.silkroute.postgres;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The current state as the route batches that lead to it, and the place in {@code bmp.routes} up to which it has heard: who applies the
 * batches to an empty RIB and then what the topic has from that place on, comes to the state that whoever has heard everything is in.
 *
 * <p>Read in one snapshot of the database, so that rows and places belong together. Of each router: its routes in the order of the
 * sessions that speak for them, then which peers its sessions have spoken of, the tables that are through, and whether its session
 * is over. Rows of ended generations are left out, as {@code v_rib} does. The station's lanes go on meanwhile.
 */
public final class StateSnapshot {
    /** Events of a batch: so many rows and attribute sets are in memory at a time. */
    private static final int EVENTS = 2_000;

    private static final int FETCH = 2_000;
    private static final int BITS_OF_LABEL = 24;
    private static final int BITS_OF_RD = 64;
    private static final int BOTTOM_OF_STACK = 1;

    private static final String PLACES =
            "SELECT kafka_partition, next_offset FROM bmp.lane_offset WHERE lane = ? AND topic_id = ?";
    private static final String COLLECTORS =
            "SELECT name, session_id, (extract(epoch FROM started_at) * 1000000)::bigint FROM bmp.collector ORDER BY 2";
    /** A route is of the newest session that has announced or confirmed it, or whose table is through with it still there. */
    private static final String ROUTE = """
            SELECT p.router_id, greatest(r.session_id, y.session_id, c.session_id) AS said_in, p.peer_id, p.peer_type,
              p.distinguisher, inet_send(p.address), p.bgp_id, p.asn, r.rib_view, r.family, r.rd, nullif(r.path_id, -1),
              inet_send(r.prefix::inet), CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, r.labels,
              r.path_status, r.path_reason, a.raw
            FROM bmp.rib_route r JOIN bmp.peer p USING (peer_id) JOIN bmp.attrs a ON a.h = r.attr
              LEFT JOIN bmp.rib_sync y ON y.peer_id = r.peer_id AND y.rib_view = r.rib_view AND y.family = r.family
              LEFT JOIN (SELECT route_id, max(session_id) AS session_id FROM bmp.rib_confirmed, unnest(routes) route_id
                GROUP BY route_id) c ON c.route_id = r.route_id
            WHERE NOT EXISTS (SELECT FROM bmp.rib_ended e
              WHERE e.peer_id = r.peer_id AND e.rib_view = r.rib_view AND e.generation = r.generation)
            ORDER BY 1, 2""";

    private static final String THROUGH = """
            SELECT p.router_id, w.session_id, p.peer_id, p.peer_type, p.distinguisher, inet_send(p.address), p.bgp_id, p.asn,
              greatest(w.rib_view, 0), w.rib_view < 0, w.family
            FROM (SELECT peer_id, rib_view, session_id, family FROM bmp.rib_sync
              UNION ALL SELECT peer_id, rib_view, session_id, family FROM bmp.rib_resync) w JOIN bmp.peer p USING (peer_id)""";

    private static final String HEARD = """
            SELECT p.router_id, t.session_id, p.peer_id, p.peer_type, p.distinguisher, inet_send(p.address), p.bgp_id, p.asn,
              t.rib_view
            FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id)""";
    private static final String ROUTER = """
            SELECT r.router_id, r.name, coalesce(host(r.address), ''), coalesce(l.collector, ''), l.session_id, l.live,
              (extract(epoch FROM l.changed_at) * 1000000)::bigint
            FROM bmp.router r JOIN bmp.live_session l USING (router_id)""";

    /** A router, and its newest session. */
    private record Router(String name, String address, String collector, long session, boolean live, long changedAt) {}

    /** Who comes to the state. */
    public interface Listener {
        /** One batch after the other, to be applied. */
        void batch(RouteBatch batch);

        /** In the end: the newest session that has spoken of a peer's view; what older ones say of that counts no more. */
        void heard(String router, PeerEntry peer, long session);
    }

    /** A table that was through in a session. */
    private record Through(PeerEntry peer, boolean allViews, int family) {}

    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final ByteSink nlri = new ByteSink();
    private final Map<Integer, Router> routers = new HashMap<>();
    private final Map<Integer, PeerEntry> peers = new HashMap<>();
    private final Map<Integer, TreeMap<Long, List<Through>>> through = new HashMap<>();
    private final Listener listener;

    private int router;
    private long session;
    private boolean open;

    private StateSnapshot(Listener listener) {
        this.listener = listener;
    }

    /**
     * @param connection in auto-commit mode; left so
     * @param lane whose places to tell
     * @param topicId of the topic that the lane reads
     * @return the offset of the next record by partition, of those that the lane has stored anything of
     */
    public static Map<Integer, Long> read(Connection connection, String lane, UUID topicId, Listener listener)
            throws SQLException {
        int isolation = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try {
            Map<Integer, Long> places = places(connection, lane, topicId);
            new StateSnapshot(listener).read(connection);
            return places;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            connection.setTransactionIsolation(isolation);
        }
    }

    private static Map<Integer, Long> places(Connection connection, String lane, UUID topicId) throws SQLException {
        Map<Integer, Long> places = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(PLACES)) {
            query.setString(1, lane);
            query.setObject(2, topicId);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    places.put(row.getInt(1), row.getLong(2));
                }
            }
        }
        return places;
    }

    private void read(Connection connection) throws SQLException {
        rows(connection, COLLECTORS, this::collector);
        rows(
                connection,
                ROUTER,
                row -> routers.put(
                        row.getInt(1),
                        new Router(
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getLong(5),
                                row.getBoolean(6),
                                row.getLong(7))));
        rows(connection, THROUGH, this::through);
        rows(connection, ROUTE, this::route);
        close();
        through.forEach(this::end);
        close();
        routers.values().forEach(this::newest);
        rows(connection, HEARD, this::heard);
    }

    @FunctionalInterface
    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private static void rows(Connection connection, String sql, Row each) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setFetchSize(FETCH);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    each.read(row);
                }
            }
        }
    }

    private void collector(ResultSet row) throws SQLException {
        builder.begin(row.getString(1), "", "", row.getLong(2), row.getLong(3));
        builder.event(EventKind.COLLECTOR_START, -1, 0, false, 0, 0);
        emit();
    }

    private void route(ResultSet row) throws SQLException {
        endOlder(row.getInt(1), row.getLong(2));
        if (!turnTo(row.getInt(1), row.getLong(2))) {
            return;
        }
        int peer = builder.peer(peer(row, 3, row.getInt(9)));
        int family = row.getInt(10);
        long pathId = row.getLong(12);
        boolean hasPathId = !row.wasNull();
        nlri.reset();
        if (hasPathId) {
            nlri.u32((int) pathId);
        }
        byte[] whole = row.getBytes(14);
        if (whole == null) {
            prefix(family, row.getLong(11), row.getBytes(13), row.getArray(15));
        } else {
            nlri.bytes(whole, 0, whole.length);
        }
        byte[] raw = row.getBytes(18);
        int set = builder.attributeSet(raw, 0, raw.length);
        builder.routes(
                EventKind.ANNOUNCE,
                peer,
                family,
                hasPathId,
                true,
                false,
                set,
                0,
                0,
                1,
                nlri.array(),
                0,
                nlri.position(),
                marking(row));
        closeIfFull();
    }

    private static long marking(ResultSet row) throws SQLException {
        long status = row.getLong(16);
        if (row.wasNull()) {
            return PathMarking.NONE;
        }
        int reason = row.getInt(17);
        return row.wasNull() ? PathMarking.of((int) status) : PathMarking.of((int) status, reason);
    }

    /** As BGP writes it: bits, labels, RD, as many bytes of the prefix as its bits need (RFC 4271, 4.3; RFC 8277; RFC 4364). */
    private void prefix(int family, long rd, byte[] inet, Array labelArray) throws SQLException {
        Integer[] labels = labelArray == null ? new Integer[0] : (Integer[]) labelArray.getArray();
        boolean hasRd = Family.safi(family) >= 128;
        int bits = inet[1] & 0xFF;
        nlri.u8(labels.length * BITS_OF_LABEL + (hasRd ? BITS_OF_RD : 0) + bits);
        for (int i = 0; i < labels.length; i++) {
            int entry = labels[i] << 4 | (i == labels.length - 1 ? BOTTOM_OF_STACK : 0);
            nlri.u16(entry >>> 8).u8(entry);
        }
        if (hasRd) {
            nlri.i64(rd);
        }
        nlri.bytes(inet, 4, 4 + (bits + 7) / 8);
    }

    /** The peer of the columns from one on: id, type, distinguisher, address, BGP ID, AS number. */
    private PeerEntry peer(ResultSet row, int column, int view) throws SQLException {
        int key = row.getInt(column) << 3 | view;
        PeerEntry known = peers.get(key);
        if (known == null) {
            byte[] address = row.getBytes(column + 3);
            boolean ipv6 = address.length > 8;
            known = new PeerEntry(
                    row.getInt(column + 1),
                    row.getLong(column + 2),
                    ipv6,
                    ipv6 ? BigEndian.i64(address, 4) : 0,
                    ipv6 ? BigEndian.i64(address, 12) : BigEndian.u32(address, 4),
                    (int) row.getLong(column + 5),
                    (int) row.getLong(column + 4),
                    RibView.of(view));
            peers.put(key, known);
        }
        return known;
    }

    private void through(ResultSet row) throws SQLException {
        through.computeIfAbsent(row.getInt(1), of -> new TreeMap<>())
                .computeIfAbsent(row.getLong(2), in -> new ArrayList<>())
                .add(new Through(peer(row, 3, row.getInt(9)), row.getBoolean(10), row.getInt(11)));
    }

    /** Tells, and forgets, the ends of a router's tables. */
    private void end(int of, Map<Long, List<Through>> tables) {
        tables.forEach((in, ended) -> {
            for (Through table : ended) {
                if (turnTo(of, in)) {
                    int peer = builder.peer(table.peer);
                    builder.event(EventKind.END_OF_RIB, peer, table.family, table.allViews, 0, 0);
                    closeIfFull();
                }
            }
        });
        tables.clear();
    }

    /** Before a session's routes come the ends of older sessions' tables, for they say nothing of these. */
    private void endOlder(int of, long than) {
        TreeMap<Long, List<Through>> tables = through.get(of);
        if (tables != null) {
            end(of, tables.headMap(than));
        }
    }

    private void heard(ResultSet row) throws SQLException {
        Router of = routers.get(row.getInt(1));
        if (of != null) {
            listener.heard(of.name, peer(row, 3, row.getInt(9)), row.getLong(2));
        }
    }

    private void closeIfFull() {
        if (builder.eventCount() >= EVENTS) {
            close();
        }
    }

    /** Begins a batch of a router's session where the one under way is of another. @return false: nothing is known of its sessions */
    private boolean turnTo(int routerId, long sessionId) {
        Router of = routers.get(routerId);
        if (of == null) {
            return false;
        }
        if (!open || router != routerId || session != sessionId) {
            close();
            builder.begin(of.collector, of.name, of.address, sessionId, of.changedAt);
            router = routerId;
            session = sessionId;
            open = true;
        }
        return true;
    }

    private void newest(Router of) {
        builder.begin(of.collector, of.name, of.address, of.session, of.changedAt);
        builder.event(of.live ? EventKind.SESSION_UP : EventKind.SESSION_DOWN, -1, 0, false, 0, 0);
        emit();
    }

    private void close() {
        if (open && !builder.isEmpty()) {
            emit();
        }
        open = false;
    }

    private void emit() {
        listener.batch(RouteBatch.read(builder.build()));
    }
}
