package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.RouterLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends tables that have been stale for too long: those of routers that did not come back, and of peers that a router's new session hasn't
 * mentioned. Their routes are gone from then on, while their rows wait for {@link Withdrawals}.
 *
 * <p>Time counts from when the lane of the current state wrote that a session came or went, not from the event itself: a lane that is behind
 * has not read yet what the router has said since. Nor does it count while nobody looks, as then nobody reads.
 */
final class StaleTables {
    /** Tables of routers that are away for too long, and of peers that a router's live session doesn't mention. */
    private static final String EXPIRED = "NOT t.blank AND p.peer_id = t.peer_id AND l.router_id = p.router_id"
            + " AND (NOT l.live AND l.noted_at < now() - CAST(? AS interval)"
            + " OR l.live AND t.session_id < l.session_id AND l.noted_at < now() - CAST(? AS interval))";

    private static final String LAST_LOOK = "SELECT at FROM bmp.stale_look FOR UPDATE";
    /** What counted before the last look counts still. */
    private static final String NOBODY_LOOKED =
            "UPDATE bmp.live_session l SET noted_at = least(now(), l.noted_at + (now() - k.at))"
                    + " FROM bmp.stale_look k WHERE k.at < now() - CAST(? AS interval)";

    private static final String LOOKED = "UPDATE bmp.stale_look SET at = now()";
    /** Between two looks there are some seconds; a sweep of many rows may come between, and doesn't count then either. */
    private static final Duration LEAST_PAUSE = Duration.ofMinutes(1);

    private static final String ROUTERS_EXPIRED = "SELECT DISTINCT p.router_id FROM bmp.rib_table t, bmp.peer p,"
            + " bmp.live_session l WHERE " + EXPIRED + " LIMIT 1000";
    private static final String EXPIRE = """
            WITH over AS (
              UPDATE bmp.rib_table t SET generation = t.generation + 1, blank = true,
                session_id = greatest(t.session_id, l.session_id)
              FROM bmp.peer p, bmp.live_session l
              WHERE %s AND p.router_id = ?
              RETURNING t.peer_id, t.rib_view, t.generation - 1 AS generation, l.session_id, l.live),
            confirmed AS (
              DELETE FROM bmp.rib_confirmed c USING over o WHERE c.peer_id = o.peer_id AND c.rib_view = o.rib_view),
            resync AS (
              DELETE FROM bmp.rib_resync c USING over o WHERE c.peer_id = o.peer_id AND c.rib_view = o.rib_view)
            INSERT INTO bmp.rib_ended (peer_id, rib_view, generation, session_id, sequence, received_at)
            SELECT peer_id, rib_view, generation, session_id, CASE WHEN live THEN 0 ELSE %d END, now() FROM over""".formatted(EXPIRED, WithdrawalTask.AFTER_ALL);

    /** Sessions of a collector that has begun anew, in case their own events came late. */
    private static final String SESSIONS_OVER = "UPDATE bmp.live_session l SET live = false, changed_at = c.started_at,"
            + " noted_at = now() FROM bmp.collector c WHERE c.name = l.collector AND l.session_id < c.session_id AND l.live";

    private static final String ROUTERS_OVER =
            "UPDATE bmp.router r SET connected = false, disconnected_at = c.started_at"
                    + " FROM bmp.collector c WHERE c.name = r.collector AND r.session_id < c.session_id AND r.connected";

    private StaleTables() {}

    /**
     * @param connection in auto-commit mode
     * @param away how long a router may be away
     * @param unmentioned how long after the begin of its session a router may not have spoken of a peer
     * @return tables ended
     */
    static long end(Connection connection, Duration away, Duration unmentioned) throws SQLException {
        look(connection, away.compareTo(unmentioned) < 0 ? away : unmentioned);
        List<Integer> routers = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(ROUTERS_EXPIRED)) {
            query.setString(1, interval(away));
            query.setString(2, interval(unmentioned));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    routers.add(row.getInt(1));
                }
            }
        }
        try (Statement over = connection.createStatement()) {
            over.executeUpdate(SESSIONS_OVER);
            over.executeUpdate(ROUTERS_OVER);
        }
        long tables = 0;
        for (int router : routers) {
            tables += LaneTransaction.run(connection, transaction -> {
                RouterLocks.own(connection, router);
                try (PreparedStatement expire = connection.prepareStatement(EXPIRE)) {
                    expire.setString(1, interval(away));
                    expire.setString(2, interval(unmentioned));
                    expire.setInt(3, router);
                    return expire.executeLargeUpdate();
                }
            });
        }
        return tables;
    }

    /** A pause that is short beside the limits changes nothing that matters, and looks may be rare. */
    private static void look(Connection connection, Duration limit) throws SQLException {
        Duration half = limit.dividedBy(2);
        LaneTransaction.run(connection, transaction -> {
            try (Statement statement = connection.createStatement();
                    PreparedStatement pause = connection.prepareStatement(NOBODY_LOOKED)) {
                statement.execute(LAST_LOOK);
                pause.setString(1, interval(half.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : half));
                pause.executeUpdate();
                return statement.executeUpdate(LOOKED);
            }
        });
    }

    private static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }
}
