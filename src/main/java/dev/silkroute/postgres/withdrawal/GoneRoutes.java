package dev.silkroute.postgres.withdrawal;

import dev.silkroute.postgres.history.SyntheticWithdrawals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows of {@code bmp.rib_route} that a task withdraws: those of an ended generation, or those of older sessions
 * that a synchronized table no longer has. They are found without a lock, so the statement that removes them checks
 * again. Each removed row becomes a synthetic withdrawal in the history.
 */
final class GoneRoutes {
    /** Maximum number of rows that are found at a time. */
    static final int ROUND = 100_000;

    /** By the index {@code rib_route_peer}. */
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
            AND r.route_id NOT IN (SELECT bmp.route_ids_confirmed_since(?, ?, ?))""";

    private static final String OLDER = "SELECT tableoid::regclass::text, ctid::text FROM bmp.rib_route r WHERE "
            + OF_VIEWS + " AND " + STILL_OLDER + " LIMIT " + ROUND;

    private static final String GONE =
            "r AS (DELETE FROM %s r WHERE r.ctid = ANY (CAST(? AS tid[])) AND " + OF_VIEWS + " AND %s RETURNING r.*)";

    private static final SyntheticWithdrawals.Cause CAUSE =
            new SyntheticWithdrawals.Cause("CAST(? AS timestamptz)", "CAST(? AS bigint)", "CAST(? AS bigint)");
    private static final String REMOVE = SyntheticWithdrawals.insert(GONE, "r", CAUSE, false);
    private static final String REMOVE_AND_PUBLISH = SyntheticWithdrawals.insert(GONE, "r", CAUSE, true);

    private static final String NEWEST_CONFIRMED = "SELECT coalesce(max(id), 0) FROM bmp.rib_confirmed";

    private GoneRoutes() {}

    /** The physical location of a row. */
    record Place(String partition, String tid) {}

    /** The id of the newest entry of {@code rib_confirmed}; later entries have higher ids. */
    static long newestConfirmed(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(NEWEST_CONFIRMED)) {
            row.next();
            return row.getLong(1);
        }
    }

    static List<Place> find(Connection connection, WithdrawalTask task) throws SQLException {
        List<Place> found = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(task.ended() ? ENDED : OLDER)) {
            int next = bindViews(query, 1, task);
            bindStill(query, next, task, 0);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(new Place(row.getString(1), row.getString(2)));
                }
            }
        }
        return found;
    }

    /**
     * Removes the rows that are still to be withdrawn.
     *
     * @param publish whether to insert each into the outbox too
     * @return the number of rows removed
     */
    static long remove(
            Connection connection, WithdrawalTask task, List<Place> places, long confirmedTo, boolean publish)
            throws SQLException {
        long rows = 0;
        Set<String> partitions = new TreeSet<>();
        places.forEach(place -> partitions.add(place.partition()));
        for (String partition : partitions) {
            Object[] tids = places.stream()
                    .filter(place -> place.partition().equals(partition))
                    .map(Place::tid)
                    .toArray();
            // The name is regclass's own text, quoted where it must be.
            String sql = (publish ? REMOVE_AND_PUBLISH : REMOVE)
                    .formatted(partition, task.ended() ? STILL_ENDED : STILL_OLDER);
            try (PreparedStatement remove = connection.prepareStatement(sql)) {
                remove.setArray(1, connection.createArrayOf("text", tids));
                int next = bindStill(remove, bindViews(remove, 2, task), task, confirmedTo);
                remove.setObject(next, task.receivedAt());
                remove.setLong(next + 1, task.session());
                remove.setLong(next + 2, task.sequence());
                rows += remove.executeLargeUpdate();
            }
        }
        return rows;
    }

    private static int bindViews(PreparedStatement statement, int from, WithdrawalTask task) throws SQLException {
        statement.setInt(from, task.peer());
        statement.setInt(from + 1, task.firstView());
        statement.setInt(from + 2, task.peer());
        statement.setInt(from + 3, task.lastView());
        return from + 4;
    }

    private static int bindStill(PreparedStatement statement, int from, WithdrawalTask task, long confirmedTo)
            throws SQLException {
        if (task.ended()) {
            statement.setInt(from, task.generation());
            return from + 1;
        }
        statement.setLong(from, task.session());
        statement.setInt(from + 1, task.family());
        statement.setInt(from + 2, task.family());
        statement.setLong(from + 3, task.session());
        statement.setInt(from + 4, task.peer());
        statement.setLong(from + 5, task.session());
        statement.setLong(from + 6, confirmedTo);
        return from + 7;
    }
}
