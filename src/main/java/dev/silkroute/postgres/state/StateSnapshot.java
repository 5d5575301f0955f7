package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.history.Markings;
import dev.silkroute.postgres.lane.LanePlace;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
    private static final String PLACES =
            "SELECT kafka_partition, next_offset, coalesce(max_timestamp_ms, -1) FROM bmp.lane_offset WHERE lane = ? AND topic_id = ?";
    private static final String COLLECTORS =
            "SELECT name, session_id, (extract(epoch FROM started_at) * 1000000)::bigint FROM bmp.collector ORDER BY 2";
    private static final String ROUTERS = """
            SELECT r.router_id, r.name, coalesce(host(r.address), ''), coalesce(l.collector, ''), l.session_id, l.live,
              (extract(epoch FROM l.recorded_at) * 1000000)::bigint
            FROM bmp.router r JOIN bmp.live_session l USING (router_id)""";

    /** A route is of the newest session that has announced or confirmed it, or whose table is through with it still there. */
    private static final String ROUTES = """
            SELECT p.router_id, greatest(r.session_id, y.session_id, c.session_id) AS said_in, %s, r.rib_view, %s,
              r.path_status, r.path_reason, a.raw
            FROM bmp.rib_route r JOIN bmp.peer p USING (peer_id) JOIN bmp.attribute_set a ON a.attribute_hash = r.attribute_hash
              LEFT JOIN bmp.rib_sync y ON y.peer_id = r.peer_id AND y.rib_view = r.rib_view AND y.family = r.family
              LEFT JOIN (SELECT route_id, max(session_id) AS session_id FROM bmp.rib_confirmed, unnest(route_ids) route_id
                GROUP BY route_id) c ON c.route_id = r.route_id
            WHERE NOT EXISTS (SELECT FROM bmp.rib_ended e
              WHERE e.peer_id = r.peer_id AND e.rib_view = r.rib_view AND e.generation = r.generation)
            ORDER BY 1, 2""".formatted(PeerColumns.NAMES, NlriColumns.NAMES);

    private static final String THROUGH = """
            SELECT p.router_id, w.session_id, %s, greatest(w.rib_view, 0), w.rib_view < 0, w.family
            FROM (SELECT peer_id, rib_view, session_id, family FROM bmp.rib_sync
              UNION ALL SELECT peer_id, rib_view, session_id, family FROM bmp.rib_resync) w JOIN bmp.peer p USING (peer_id)""".formatted(PeerColumns.NAMES);

    private static final String HEARD = """
            SELECT p.router_id, t.session_id, %s, t.rib_view
            FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id)""".formatted(PeerColumns.NAMES);

    /** Who comes to the state. */
    public interface Listener {
        /** One batch after the other, to be applied. */
        void batch(RouteBatch batch);

        /** In the end: the newest session that has spoken of a peer's view; what older ones say of that counts no more. */
        void heard(String router, PeerEntry peer, long session);
    }

    private final PeerColumns peers = new PeerColumns();
    private final NlriColumns nlri = new NlriColumns();
    private final TableEnds ends = new TableEnds();
    private final SnapshotBatches batches;
    private final Listener listener;

    private StateSnapshot(Listener listener) {
        this.listener = listener;
        batches = new SnapshotBatches(listener::batch);
    }

    /**
     * @param connection in auto-commit mode; left so
     * @param lane whose places to tell
     * @param topicId of the topic that the lane reads
     * @return the lane's places by partition, of those that the lane has stored anything of
     */
    public static Map<Integer, LanePlace> read(Connection connection, String lane, UUID topicId, Listener listener)
            throws SQLException {
        int isolation = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try {
            Map<Integer, LanePlace> places = places(connection, lane, topicId);
            new StateSnapshot(listener).read(connection);
            return places;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            connection.setTransactionIsolation(isolation);
        }
    }

    private static Map<Integer, LanePlace> places(Connection connection, String lane, UUID topicId)
            throws SQLException {
        Map<Integer, LanePlace> places = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(PLACES)) {
            query.setString(1, lane);
            query.setObject(2, topicId);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    places.put(row.getInt(1), new LanePlace(row.getLong(2), row.getLong(3)));
                }
            }
        }
        return places;
    }

    private void read(Connection connection) throws SQLException {
        CopiedRow.read(
                connection, COLLECTORS, row -> batches.collectorStart(row.text(1), row.number(2), row.number(3)));
        CopiedRow.read(connection, ROUTERS, this::router);
        CopiedRow.read(connection, THROUGH, this::through);
        CopiedRow.read(connection, ROUTES, this::route);
        batches.close();
        ends.tellAll(batches);
        batches.close();
        batches.newestSessions();
        CopiedRow.read(connection, HEARD, this::heard);
    }

    private void router(CopiedRow row) {
        batches.router(
                row.integer(1),
                new SnapshotBatches.Router(
                        row.text(2), row.text(3), row.text(4), row.number(5), row.bool(6), row.number(7)));
    }

    private void through(CopiedRow row) {
        ends.add(row.integer(1), row.number(2), peers.read(row, 3, row.integer(9)), row.integer(11), row.bool(10));
    }

    private void route(CopiedRow row) {
        int router = row.integer(1);
        long session = row.number(2);
        ends.tellOlder(router, session, batches);
        nlri.read(row, 10);
        batches.announcement(
                router,
                session,
                peers.read(row, 3, row.integer(9)),
                nlri,
                Objects.requireNonNull(row.bytes(18)),
                Markings.read(row, 16));
    }

    private void heard(CopiedRow row) {
        SnapshotBatches.Router of = batches.router(row.integer(1));
        if (of != null) {
            listener.heard(of.name(), peers.read(row, 3, row.integer(9)), row.number(2));
        }
    }
}
