package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.history.SyntheticWithdrawals;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows of {@code bmp.rib_route} that a task withdraws: those of an ended generation, or those of older sessions
 * that a synchronized table no longer has. They are found without a lock, so the statement that removes them checks
 * again. Each removed row becomes a synthetic withdrawal in the history.
 */
final class EndedRoutes {
    /** Maximum number of rows that are found at a time. */
    static final int ROUND = 100_000;

    /** A condition that uses the index {@code rib_route_peer}. */
    private static final String OF_VIEWS = "(r.peer_id::bigint << 3 | r.rib_view)"
            + " BETWEEN CAST(? AS bigint) << 3 | ? AND CAST(? AS bigint) << 3 | ?";

    private static final String STILL_ENDED = "r.generation = ?";
    private static final String ENDED = "SELECT tableoid::regclass::text, ctid::text FROM bmp.rib_route r WHERE "
            + OF_VIEWS + " AND " + STILL_ENDED + " LIMIT " + ROUND;

    /** Rows of older sessions whose table is not synchronized in this or a newer session. */
    private static final String STILL_OLDER = """
        r.session_id < ? AND (CAST(? AS integer) = 0 OR r.family = ?)
        AND NOT EXISTS (SELECT FROM bmp.rib_sync y WHERE y.peer_id = r.peer_id AND y.rib_view = r.rib_view
          AND y.family = r.family AND y.session_id >= ?)
        AND r.route_id NOT IN (SELECT bmp.route_ids_confirmed_since(?, ?, ?))\
        """;

    private static final String OLDER = "SELECT tableoid::regclass::text, ctid::text FROM bmp.rib_route r WHERE "
            + OF_VIEWS + " AND " + STILL_OLDER + " LIMIT " + ROUND;

    private static final String REMOVED =
            "r AS (DELETE FROM %s r WHERE r.ctid = ANY (CAST(? AS tid[])) AND " + OF_VIEWS + " AND %s RETURNING r.*)";

    private static final SyntheticWithdrawals.Cause CAUSE =
            new SyntheticWithdrawals.Cause("CAST(? AS timestamptz)", "CAST(? AS bigint)", "CAST(? AS bigint)");
    private static final String REMOVE = SyntheticWithdrawals.insert(REMOVED, "r", CAUSE, false);
    private static final String REMOVE_AND_PUBLISH = SyntheticWithdrawals.insert(REMOVED, "r", CAUSE, true);

    private static final String NEWEST_CONFIRMED = "SELECT coalesce(max(id), 0) FROM bmp.rib_confirmed";

    private EndedRoutes() {}

    /** The physical location of a row. */
    record RowLocation(String partition, String tid) {}

    /** The id of the newest entry of {@code rib_confirmed}; later entries have higher ids. */
    static long newestConfirmed(Connection connection) throws SQLException {
        return Sql.number(connection, NEWEST_CONFIRMED);
    }

    /** Returns up to {@value #ROUND} rows to be withdrawn. */
    static List<RowLocation> find(Connection connection, WithdrawalTask task) throws SQLException {
        return Sql.list(
                connection,
                task.ended() ? ENDED : OLDER,
                row -> new RowLocation(row.getString(1), row.getString(2)),
                conditions(task, 0).toArray());
    }

    /**
     * Removes the rows that are still to be withdrawn.
     *
     * @param publish whether to insert each into the outbox too
     * @return the number of rows removed
     */
    static long remove(
            Connection connection, WithdrawalTask task, List<RowLocation> locations, long confirmedTo, boolean publish)
            throws SQLException {
        long rows = 0;
        Set<String> partitions = new TreeSet<>();
        locations.forEach(location -> partitions.add(location.partition()));
        for (String partition : partitions) {
            List<String> tids = locations.stream()
                    .filter(location -> location.partition().equals(partition))
                    .map(RowLocation::tid)
                    .toList();
            List<Object> values = new ArrayList<>(List.of(Sql.array(connection, "text", tids)));
            values.addAll(conditions(task, confirmedTo));
            values.addAll(List.of(task.receivedAt(), task.session(), task.sequence()));
            // The name is regclass's own text, quoted where it must be.
            String sql = (publish ? REMOVE_AND_PUBLISH : REMOVE)
                    .formatted(partition, task.ended() ? STILL_ENDED : STILL_OLDER);
            rows += Sql.update(connection, sql, values.toArray());
        }
        return rows;
    }

    /** Returns the parameters of {@link #OF_VIEWS}, then those of {@link #STILL_ENDED} or {@link #STILL_OLDER}. */
    private static List<Object> conditions(WithdrawalTask task, long confirmedTo) {
        List<Object> values = new ArrayList<>(List.of(task.peer(), task.firstView(), task.peer(), task.lastView()));
        if (task.ended()) {
            values.add(task.generation());
        } else {
            values.addAll(List.of(task.session(), task.family(), task.family(), task.session()));
            values.addAll(List.of(task.peer(), task.session(), confirmedTo));
        }
        return values;
    }
}
