package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.LiveSessions;
import dev.silkroute.postgres.state.RibTables;
import dev.silkroute.postgres.state.RouterLocks;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.StateTimeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends the tables whose routes have been stale for too long. {@link StateTimeouts} decides; a query finds the routers
 * for which the decision is due. Views hide the routes from then on, while their rows wait for {@link Withdrawals}.
 *
 * <p>Time counts from when the lane of the current state recorded that a session came up or went down, not from the
 * event: a lane that is behind has not read yet what the router has sent since. Time without checks does not count
 * either.
 */
final class StaleTables {
    private static final String LAST_CHECK = "SELECT (extract(epoch FROM checked_at) * 1000000)::bigint,"
            + " (extract(epoch FROM now()) * 1000000)::bigint FROM bmp.stale_check FOR UPDATE";
    private static final String SKIP_PAUSE =
            "UPDATE bmp.live_session SET recorded_at = least(now(), recorded_at + ? * interval '1 microsecond')";
    private static final String CHECKED = "UPDATE bmp.stale_check SET checked_at = now()";

    /** Routers for which {@link StateTimeouts} ends views now. Many at once are taken in turn. */
    private static final String DUE_ROUTERS = """
        SELECT DISTINCT p.router_id FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id) JOIN bmp.live_session l USING (router_id)
        WHERE NOT t.empty AND (NOT l.live AND l.recorded_at < now() - ? * interval '1 microsecond'
          OR l.live AND t.session_id < l.session_id AND l.recorded_at < now() - ? * interval '1 microsecond')
        LIMIT 1000\
        """;

    private static final String SESSION = """
        SELECT session_id, live, coalesce(collector, ''), (extract(epoch FROM recorded_at) * 1000000)::bigint,
          (extract(epoch FROM now()) * 1000000)::bigint
        FROM bmp.live_session WHERE router_id = ?\
        """;
    private static final String PEERS = "SELECT peer_id FROM bmp.peer WHERE router_id = ?";

    /** {@link RouterSession#collectorStarted} for sessions whose own events came after the collector's start. */
    private static final String END_SESSIONS = "UPDATE bmp.live_session l SET live = false, recorded_at = now() FROM"
            + " bmp.collector c WHERE c.name = l.collector AND l.session_id < c.session_id AND l.live";

    private static final String DISCONNECT_ROUTERS =
            "UPDATE bmp.router r SET connected = false, disconnected_at = c.started_at FROM bmp.collector c WHERE"
                    + " c.name = r.collector AND r.session_id < c.session_id AND r.connected";

    private StaleTables() {}

    /**
     * @param connection in auto-commit mode
     * @param staleTimeout how long the tables of a disconnected router are kept
     * @param resyncTimeout how long after a reconnect tables are kept that the new session has not mentioned
     * @return tables ended
     */
    static long end(Connection connection, Duration staleTimeout, Duration resyncTimeout) throws SQLException {
        StateTimeouts timeouts = new StateTimeouts(staleTimeout.toNanos() / 1000, resyncTimeout.toNanos() / 1000);
        check(connection, timeouts);
        List<Integer> routers = Sql.list(
                connection, DUE_ROUTERS, row -> row.getInt(1), timeouts.staleMicros(), timeouts.resyncMicros());
        Sql.update(connection, END_SESSIONS);
        Sql.update(connection, DISCONNECT_ROUTERS);
        long tables = 0;
        for (int router : routers) {
            tables += LaneTransaction.run(connection, transaction -> {
                RouterLocks.own(connection, router);
                return end(connection, router, timeouts);
            });
        }
        return tables;
    }

    private static void check(Connection connection, StateTimeouts timeouts) throws SQLException {
        LaneTransaction.run(connection, transaction -> {
            long pause = Sql.first(connection, LAST_CHECK, row -> timeouts.pause(row.getLong(1), row.getLong(2)))
                    .orElse(0L);
            if (pause > 0) {
                Sql.update(connection, SKIP_PAUSE, pause);
            }
            return Sql.update(connection, CHECKED);
        });
    }

    /** Withdrawals are placed at the start of a session that is up, else after everything the session reported. */
    private static int end(Connection connection, int router, StateTimeouts timeouts) throws SQLException {
        return Sql.first(
                        connection,
                        SESSION,
                        row -> {
                            RouterSession session = LiveSessions.phase(
                                    row.getLong(1), row.getBoolean(2), row.getString(3), row.getLong(4));
                            long sequence = session.isUp() ? 0 : WithdrawalTask.AFTER_ALL;
                            return end(
                                    connection,
                                    router,
                                    session,
                                    timeouts,
                                    new RibTables.Cause(session.id(), sequence, row.getLong(5)));
                        },
                        router)
                .orElse(0);
    }

    private static int end(
            Connection connection, int router, RouterSession session, StateTimeouts timeouts, RibTables.Cause cause)
            throws SQLException {
        Set<Integer> peers = new HashSet<>(Sql.list(connection, PEERS, row -> row.getInt(1), router));
        RibTables tables = RibTables.read(connection, peers);
        int ended = tables.expire(session, timeouts, cause);
        tables.write();
        return ended;
    }
}
