package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * The withdrawals that the database lists: ended generations ({@code rib_ended}) first, then synchronized tables
 * ({@code rib_resync}).
 *
 * @param first the first tasks, up to a limit
 * @param waiting the number of all tasks
 */
record WithdrawalTasks(List<WithdrawalTask> first, long waiting) {
    private static final String TASKS = """
        SELECT t.*, count(*) OVER () FROM (
        SELECT 1 AS turn, p.router_id, e.peer_id, e.rib_view, 0, e.generation, e.session_id, e.sequence, e.received_at
        FROM bmp.rib_ended e JOIN bmp.peer p USING (peer_id)
        UNION ALL
        SELECT 2, p.router_id, s.peer_id, s.rib_view, s.family, -1, s.session_id, s.sequence, s.received_at
        FROM bmp.rib_resync s JOIN bmp.peer p USING (peer_id)) t
        ORDER BY turn, received_at LIMIT 1000\
        """;

    private static final String IN_FORCE =
            "SELECT FROM bmp.rib_resync WHERE peer_id = ? AND rib_view = ? AND family = ? AND session_id = ?";

    private static final String ENDED_DONE =
            "DELETE FROM bmp.rib_ended WHERE peer_id = ? AND rib_view = ? AND generation = ?";
    private static final String SYNCED = """
        INSERT INTO bmp.rib_sync AS y (peer_id, rib_view, family, session_id)
        SELECT peer_id, rib_view, family, max(session_id) FROM (
          SELECT CAST(? AS integer) AS peer_id, CAST(? AS smallint) AS rib_view, CAST(? AS integer) AS family,
            CAST(? AS bigint) AS session_id
          UNION ALL
          SELECT peer_id, rib_view, family, ? FROM bmp.rib_confirmed WHERE peer_id = ? AND session_id = ?
          UNION ALL
          SELECT peer_id, rib_view, family, ? FROM bmp.rib_sync WHERE peer_id = ?) t
        WHERE rib_view >= 0 AND (CAST(? AS integer) = 0 OR family = ? AND rib_view = ?)
        GROUP BY peer_id, rib_view, family
        ON CONFLICT (peer_id, rib_view, family) DO UPDATE SET session_id = excluded.session_id
        WHERE y.session_id < excluded.session_id\
        """;
    private static final String FORGET_CONFIRMED = "DELETE FROM bmp.rib_confirmed WHERE peer_id = ? AND session_id <= ?"
            + " AND (CAST(? AS integer) = 0 OR family = ? AND rib_view = ?)";
    private static final String RESYNC_DONE =
            "DELETE FROM bmp.rib_resync WHERE peer_id = ? AND rib_view = ? AND family = ? AND session_id = ?";

    static WithdrawalTasks read(Connection connection) throws SQLException {
        long[] waiting = {0};
        List<WithdrawalTask> first = Sql.list(connection, TASKS, row -> {
            waiting[0] = row.getLong(10);
            return new WithdrawalTask(
                    row.getInt(2),
                    row.getInt(3),
                    row.getInt(4),
                    row.getInt(5),
                    row.getInt(6),
                    row.getLong(7),
                    row.getLong(8),
                    row.getObject(9, OffsetDateTime.class));
        });
        return new WithdrawalTasks(first, waiting[0]);
    }

    /**
     * Returns whether the task still exists. A table may be synchronized again in a newer session; an ended generation
     * stays ended.
     */
    static boolean isInForce(Connection connection, WithdrawalTask task) throws SQLException {
        return task.ended()
                || Sql.first(connection, IN_FORCE, _ -> true, task.peer(), task.view(), task.family(), task.session())
                        .isPresent();
    }

    /** Removes a task and what was recorded for it. */
    static void done(Connection connection, WithdrawalTask task) throws SQLException {
        if (task.ended()) {
            Sql.update(connection, ENDED_DONE, task.peer(), task.view(), task.generation());
            return;
        }
        long session = task.session();
        Sql.update(
                connection,
                SYNCED,
                task.peer(),
                task.view(),
                task.family(),
                session,
                session,
                task.peer(),
                session,
                session,
                task.peer(),
                task.family(),
                task.family(),
                task.view());
        Sql.update(connection, FORGET_CONFIRMED, task.peer(), session, task.family(), task.family(), task.view());
        Sql.update(connection, RESYNC_DONE, task.peer(), task.view(), task.family(), session);
    }
}
