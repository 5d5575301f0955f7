package dev.silkroute.postgres;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.ByteSink;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps {@code bmp.rib_route} at what the routers say now. A list of batches is folded to one change a route, which goes
 * into a temporary table by COPY and from there into the state in three statements: peers that went down, withdrawals,
 * announcements. An announcement that changes nothing writes nothing.
 *
 * <p>A row's session is that of its newest event; events of an older session leave it alone. So do messages that were decoded
 * again: rows have no sequence, so whether something newer has come since can't be told.
 */
public final class CurrentStateWriter implements BatchWriter {
    private static final String KEY_EQUAL = "r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view"
            + " AND r.family = s.family AND r.rd = s.rd AND r.path_id = s.path_id AND r.nlri = s.nlri";

    /** Every change is looked up by the primary key: a hash join would read the whole state for it. */
    private static final String PREPARE = """
            SET LOCAL enable_hashjoin = off;
            SET LOCAL enable_mergejoin = off;
            SET LOCAL jit = off;
            DO $$ BEGIN
              IF to_regclass('pg_temp.rib_change') IS NULL THEN
                CREATE TEMPORARY TABLE rib_change (prefix cidr, nlri bytea, rd bigint, path_id bigint, peer_id integer,
                  family integer, rib_view smallint, present boolean, session_id bigint, attr uuid, labels integer[],
                  long_nlri bytea, nlri_as_text text, path_status bigint, path_reason integer, first_at timestamptz,
                  changed_at timestamptz, reborn boolean, changed boolean)
                ON COMMIT DELETE ROWS;
              END IF;
            END $$""";

    private static final String CHANGES = "rib_change (" + RibKey.COLUMNS + ", present, session_id, attr, labels,"
            + " long_nlri, nlri_as_text, path_status, path_reason, first_at, changed_at, reborn, changed)";
    private static final int CHANGE_COLUMNS = RibKey.COLUMN_COUNT + 12;

    /** Views from one to another of a peer, by the index {@code rib_route_peer}. */
    private static final String WIPE = "DELETE FROM bmp.rib_route WHERE (peer_id::bigint << 3 | rib_view)"
            + " BETWEEN CAST(? AS bigint) << 3 | ? AND CAST(? AS bigint) << 3 | ? AND session_id <= ?";

    private static final int LAST_VIEW = 7;

    private static final String DELETE = "DELETE FROM bmp.rib_route r USING rib_change s"
            + " WHERE NOT s.present AND r.session_id <= s.session_id AND " + KEY_EQUAL;

    private static final String UPSERT = """
            INSERT INTO bmp.rib_route AS t (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen,
              last_changed, attr, labels, long_nlri, nlri_as_text, path_status, path_reason)
            SELECT s.prefix, s.nlri, s.rd, s.path_id, s.peer_id, s.family, s.rib_view, s.session_id,
              CASE WHEN r.peer_id IS NULL OR s.reborn THEN s.first_at ELSE r.first_seen END,
              CASE WHEN r.peer_id IS NULL OR s.changed OR r.attr <> s.attr OR r.labels IS DISTINCT FROM s.labels
                OR r.nlri_as_text <> s.nlri_as_text OR r.path_status IS DISTINCT FROM s.path_status
                OR r.path_reason IS DISTINCT FROM s.path_reason
                THEN s.changed_at ELSE r.last_changed END,
              s.attr, s.labels, s.long_nlri, s.nlri_as_text, s.path_status, s.path_reason
            FROM rib_change s LEFT JOIN bmp.rib_route r ON %s
            WHERE s.present AND (r.peer_id IS NULL OR r.session_id < s.session_id
              OR r.session_id = s.session_id
                AND (s.changed OR r.attr <> s.attr OR r.labels IS DISTINCT FROM s.labels
                  OR r.nlri_as_text IS DISTINCT FROM s.nlri_as_text
                  OR r.path_status IS DISTINCT FROM s.path_status OR r.path_reason IS DISTINCT FROM s.path_reason))
            ON CONFLICT (prefix, peer_id, rib_view, family, rd, path_id, nlri) DO UPDATE
              SET session_id = excluded.session_id, first_seen = excluded.first_seen,
                last_changed = excluded.last_changed, attr = excluded.attr, labels = excluded.labels,
                nlri_as_text = excluded.nlri_as_text, path_status = excluded.path_status,
                path_reason = excluded.path_reason
              WHERE t.session_id <= excluded.session_id""".formatted(KEY_EQUAL);

    private final DimensionCache dimensions;
    private final AttributeSets attributes;

    public CurrentStateWriter(DimensionCache dimensions, AttributeSets attributes) {
        this.dimensions = dimensions;
        this.attributes = attributes;
    }

    @Override
    public Prepared prepare(Connection connection, List<RouteBatch> batches) throws SQLException {
        RouteFold routes = new RouteFold();
        LiveSessions sessions = new LiveSessions();
        ByteSink scratch = new ByteSink();
        for (RouteBatch batch : batches) {
            if (!batch.redecoded()) {
                fold(batch, new BatchPeers(dimensions, connection, batch), routes, sessions, scratch);
            }
        }
        return transaction -> {
            attributes.write(transaction, batches);
            long changed = apply(transaction.connection(), routes);
            sessions.write(transaction.connection());
            return changed;
        };
    }

    private static void fold(
            RouteBatch batch, BatchPeers peers, RouteFold routes, LiveSessions sessions, ByteSink scratch)
            throws SQLException {
        long session = batch.sessionId();
        sessions.seen(peers.router(), session);
        RouteCursor event = batch.cursor();
        while (event.next()) {
            switch (event.kind()) {
                case ANNOUNCE ->
                    routes.announce(
                            key(batch, peers, event, scratch),
                            session,
                            batch.hashHigh(event.attributes()),
                            batch.hashLow(event.attributes()),
                            Labels.of(event.nlri()),
                            nlri(batch, event.nlri()),
                            event.marking(),
                            batch.receivedAtMicros());
                case WITHDRAW -> routes.withdraw(key(batch, peers, event, scratch), session);
                case PEER_DOWN -> {
                    int view = event.allViews()
                            ? RouteFold.ALL_VIEWS
                            : batch.peer(event.peerIndex()).view().code();
                    peers.find(event.peerIndex()).ifPresent(peer -> routes.peerDown(peer, view, session));
                }
                case SESSION_UP -> sessions.up(peers.router(), session);
                case SESSION_DOWN -> sessions.down(peers.router(), session);
                case PEER_UP, END_OF_RIB -> {} // neither changes a route
            }
        }
    }

    private static byte[] nlri(RouteBatch batch, NlriReader nlri) {
        return nlri.isPrefix() ? RouteFold.NO_NLRI : Arrays.copyOfRange(batch.bytes(), nlri.from(), nlri.to());
    }

    private static RibKey key(RouteBatch batch, BatchPeers peers, RouteCursor event, ByteSink scratch)
            throws SQLException {
        PeerEntry peer = batch.peer(event.peerIndex());
        return RibKey.of(
                peers.make(event.peerIndex()),
                peer.view().code(),
                event.family(),
                event.nlri(),
                batch.bytes(),
                scratch);
    }

    private static long apply(Connection connection, RouteFold routes) throws SQLException {
        long rows = wipe(connection, routes.wipes());
        if (routes.size() == 0) {
            return rows;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(PREPARE);
            copy(connection, routes);
            rows += statement.executeLargeUpdate(DELETE);
            return rows + statement.executeLargeUpdate(UPSERT);
        }
    }

    private static long wipe(Connection connection, List<RouteFold.Wipe> wipes) throws SQLException {
        long rows = 0;
        try (PreparedStatement delete = connection.prepareStatement(WIPE)) {
            for (RouteFold.Wipe wipe : wipes) {
                boolean allViews = wipe.view() == RouteFold.ALL_VIEWS;
                delete.setInt(1, wipe.peer());
                delete.setInt(2, allViews ? 0 : wipe.view());
                delete.setInt(3, wipe.peer());
                delete.setInt(4, allViews ? LAST_VIEW : wipe.view());
                delete.setLong(5, wipe.session());
                rows += delete.executeLargeUpdate();
            }
        }
        return rows;
    }

    private static void copy(Connection connection, RouteFold routes) throws SQLException {
        try (CopyTable copy = CopyTable.into(connection, CHANGES)) {
            routes.forEach((key, change) -> writeRow(copy.row(CHANGE_COLUMNS), key, change));
            copy.finish();
        }
    }

    private static void writeRow(CopyBinary row, RibKey key, RouteFold.Change change) {
        key.write(row);
        row.bool(change.present);
        row.int8(change.session);
        row.uuid(change.attributesHigh, change.attributesLow);
        if (change.labels.length == 0) {
            row.nullField();
        } else {
            row.int4Array(change.labels);
        }
        byte[] longNlri = key.longNlri();
        if (longNlri == null) {
            row.nullField();
        } else {
            row.bytea(longNlri, 0, longNlri.length);
        }
        row.text(change.nlri.length == 0 ? null : NlriText.of(key.family(), change.nlri, 0, change.nlri.length));
        Markings.write(row, change.marking);
        row.timestamp(change.firstAt);
        row.timestamp(change.changedAt);
        row.bool(change.reborn);
        row.bool(change.changed);
    }
}
