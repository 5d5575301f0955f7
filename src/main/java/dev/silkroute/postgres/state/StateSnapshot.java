package dev.silkroute.postgres.state;

import dev.silkroute.net.Addresses;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.history.Markings;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LaneSnapshot;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import java.sql.Connection;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current state as the route batches that lead to it, with the offsets of {@code bmp.routes} up to which it
 * is complete. Applying the batches to an empty RIB, and then the records of the topic from those offsets on, results
 * in the same RIB as applying all records.
 *
 * <p>Everything is read in one snapshot of the database, so that rows and offsets are consistent. For each router: its
 * routes in the order of the sessions that they belong to, the synchronized tables, whether its session is live, and
 * which sessions sent events for which peers. Rows of ended generations are left out, as in {@code v_rib}. Lanes
 * continue meanwhile.
 *
 * <p>A route whose row is invalid, as after a change by hand, is left out, and its router's routes are stale: they
 * become fresh in the router's next session.
 */
public final class StateSnapshot {
    private static final String COLLECTORS =
            "SELECT name, session_id, (extract(epoch FROM started_at) * 1000000)::bigint FROM bmp.collector ORDER BY 2";
    private static final String ROUTERS = """
        SELECT r.router_id, r.name, coalesce(host(r.address), ''), coalesce(l.collector, ''), l.session_id, l.live AND NOT l.incomplete,
          (extract(epoch FROM l.recorded_at) * 1000000)::bigint
        FROM bmp.router r JOIN bmp.live_session l USING (router_id)\
        """;

    /** A route belongs to the newest session that announced or confirmed it, or in which its table is synchronized. */
    private static final String ROUTES = """
        SELECT p.router_id, greatest(r.session_id, y.session_id, c.session_id) AS newest_session, %s, r.rib_view, %s,
          r.path_status, r.path_reason, a.raw
        FROM bmp.rib_route r JOIN bmp.peer p USING (peer_id) JOIN bmp.attribute_set a ON a.attribute_hash = r.attribute_hash
          LEFT JOIN bmp.rib_sync y ON y.peer_id = r.peer_id AND y.rib_view = r.rib_view AND y.family = r.family
          LEFT JOIN (SELECT route_id, max(session_id) AS session_id FROM bmp.rib_confirmed, unnest(route_ids) route_id
            GROUP BY route_id) c ON c.route_id = r.route_id
        WHERE NOT EXISTS (SELECT FROM bmp.rib_ended e
          WHERE e.peer_id = r.peer_id AND e.rib_view = r.rib_view AND e.generation = r.generation)
        ORDER BY 1, 2\
        """.formatted(PeerColumns.NAMES, NlriColumns.NAMES);

    // The columns that ROUTES, SYNCHRONIZED and NEWEST_SESSIONS have in common; a peer occupies six columns.
    private static final int ROUTER = 1;
    private static final int SESSION = 2;
    private static final int PEER = 3;
    private static final int VIEW = 9;
    // The other columns of ROUTES: six of an NLRI, two of a marking.
    private static final int ROUTE_NLRI = 10;
    private static final int ROUTE_MARKING = 16;
    private static final int ROUTE_ATTRIBUTES = 18;
    // The other columns of SYNCHRONIZED.
    private static final int SYNCHRONIZED_ALL_VIEWS = 10;
    private static final int SYNCHRONIZED_FAMILY = 11;

    private static final String SYNCHRONIZED = """
        SELECT p.router_id, w.session_id, %s, greatest(w.rib_view, 0), w.rib_view < 0, w.family
        FROM (SELECT peer_id, rib_view, session_id, family FROM bmp.rib_sync
          UNION ALL SELECT peer_id, rib_view, session_id, family FROM bmp.rib_resync) w JOIN bmp.peer p USING (peer_id)\
        """.formatted(PeerColumns.NAMES);

    private static final String NEWEST_SESSIONS = """
        SELECT p.router_id, t.session_id, %s, t.rib_view
        FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id)\
        """.formatted(PeerColumns.NAMES);

    private static final String ENDS_OF_RIB = """
        SELECT p.router_id, e.session_id, %s, e.rib_view, e.family
        FROM bmp.rib_end_of_rib e JOIN bmp.peer p USING (peer_id)\
        """.formatted(PeerColumns.NAMES);

    private static final int END_OF_RIB_FAMILY = 10;

    /** Receives the state. */
    public interface Listener {
        /** Called for each batch, in the order in which they must be applied. */
        void batch(RouteBatch batch);

        /** Called at the end with the newest session that sent events for a peer's view; it supersedes older ones. */
        void newestSession(String router, PeerEntry peer, long session);

        /**
         * Called at the end with the newest session that sent End-of-RIB for a peer's view.
         *
         * @param family 0 for all
         */
        void endOfRib(String router, PeerEntry peer, int family, long session);

        /** Called at the end with the number of routes of a peer's view that were left out, if there are any. */
        void invalidRows(String router, PeerEntry peer, long rows);
    }

    private final PeerColumns peers = new PeerColumns();
    private final NlriColumns nlri = new NlriColumns();
    private final TableEnds ends = new TableEnds();
    private final SnapshotBatches batches;
    private final Listener listener;
    private final InvalidRows invalid;

    private StateSnapshot(Listener listener, InvalidRows invalid) {
        this.listener = listener;
        this.invalid = invalid;
        batches = new SnapshotBatches(peers, listener::batch);
    }

    /**
     * @param connection in auto-commit mode; left so
     * @param lane the lane whose offsets to return
     * @param topicId of the topic that the lane reads
     * @param invalid empty; the rows that are left out are added to it
     * @return the lane's offsets by partition, of the partitions from which it has stored records
     * @throws SQLDataException if rows that are not routes are invalid, as after a change by hand
     */
    public static Map<Integer, LaneOffset> read(
            Connection connection, String lane, UUID topicId, Listener listener, InvalidRows invalid)
            throws SQLException {
        return LaneSnapshot.read(connection, lane, topicId, new StateSnapshot(listener, invalid)::read);
    }

    private void read(Connection connection) throws SQLException {
        try {
            readTables(connection);
        } catch (WireFormatException | InvalidRowException e) {
            throw new SQLDataException(
                    "The current state of router " + batches.currentRouter() + " has an invalid row: " + e.getMessage(),
                    e);
        }
    }

    private void readTables(Connection connection) throws SQLException {
        CopiedRow.read(
                connection, COLLECTORS, row -> batches.collectorStart(row.text(1), row.number(2), row.number(3)));
        CopiedRow.read(connection, PeerColumns.ROLES, peers::readRole);
        CopiedRow.read(connection, ROUTERS, this::router);
        CopiedRow.read(connection, SYNCHRONIZED, this::synchronizedTable);
        CopiedRow.read(connection, ROUTES, this::route);
        batches.close();
        ends.emitAll(batches);
        batches.close();
        batches.newestSessions();
        CopiedRow.read(connection, NEWEST_SESSIONS, this::newestSession);
        CopiedRow.read(connection, ENDS_OF_RIB, this::endOfRib);
        invalid.reportTo(listener);
    }

    private void router(CopiedRow row) {
        batches.router(
                row.integer(1),
                new SnapshotBatches.Router(
                        row.text(2), row.text(3), row.text(4), row.number(5), row.bool(6), row.number(7)));
    }

    private void synchronizedTable(CopiedRow row) {
        ends.add(
                row.integer(ROUTER),
                row.number(SESSION),
                peers.read(row, PEER, row.integer(VIEW)),
                row.integer(SYNCHRONIZED_FAMILY),
                row.bool(SYNCHRONIZED_ALL_VIEWS));
    }

    private void route(CopiedRow row) {
        int router = row.integer(ROUTER);
        long session = row.number(SESSION);
        ends.emitOlder(router, session, batches);
        PeerEntry peer = null;
        try {
            peer = peers.read(row, PEER, row.integer(VIEW));
            nlri.read(row, ROUTE_NLRI);
        } catch (InvalidRowException e) {
            leaveOut(row, peer, e);
            return;
        }
        batches.announcement(
                router,
                session,
                peer,
                nlri,
                Objects.requireNonNull(row.bytes(ROUTE_ATTRIBUTES)),
                Markings.read(row, ROUTE_MARKING));
    }

    private void leaveOut(CopiedRow row, @Nullable PeerEntry peer, InvalidRowException reason) {
        int router = row.integer(ROUTER);
        SnapshotBatches.Router of = batches.router(router);
        if (of != null) {
            batches.markStale(router);
            String route = (peer == null ? "" : text(peer) + ", ") + NlriColumns.text(row, ROUTE_NLRI);
            invalid.add(router, of, peer, route, String.valueOf(reason.getMessage()));
        }
    }

    private static String text(PeerEntry peer) {
        String address = Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow());
        return "peer " + address + ", " + peer.view().text();
    }

    private void newestSession(CopiedRow row) {
        SnapshotBatches.Router of = batches.router(row.integer(ROUTER));
        if (of != null) {
            listener.newestSession(of.name(), peers.read(row, PEER, row.integer(VIEW)), row.number(SESSION));
        }
    }

    private void endOfRib(CopiedRow row) {
        SnapshotBatches.Router of = batches.router(row.integer(ROUTER));
        if (of != null) {
            listener.endOfRib(
                    of.name(),
                    peers.read(row, PEER, row.integer(VIEW)),
                    row.integer(END_OF_RIB_FAMILY),
                    row.number(SESSION));
        }
    }
}
