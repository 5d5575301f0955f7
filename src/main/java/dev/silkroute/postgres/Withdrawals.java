package dev.silkroute.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes away the rows of routes that are gone without the router having withdrawn each: with their peer, with their session, or because
 * a table that was sent anew had them no more. Each becomes a synthetic withdrawal in the history, in the transaction that
 * removes its row and in the name of the event that caused it. Transactions are small, so that no lane waits long.
 *
 * <p>What is to be done is in the database ({@code rib_ended}, {@code rib_resync}); any number of stations may do it at once,
 * and after a crash another goes on where the last transaction ended. Not thread-safe.
 */
public final class Withdrawals {
    private static final int ROUND = 100_000;
    /** As the sequence of what comes after everything that a session can have said. */
    private static final long AFTER_ALL = (1L << 48) - 1;

    /** With how many there are in all. */
    private static final String TASKS = """
            SELECT t.*, count(*) OVER () FROM (
            SELECT 1 AS turn, p.router_id, e.peer_id, e.rib_view, 0, e.generation, e.session_id, e.sequence, e.received_at
            FROM bmp.rib_ended e JOIN bmp.peer p USING (peer_id)
            UNION ALL
            SELECT 2, p.router_id, s.peer_id, s.rib_view, s.family, -1, s.session_id, s.sequence, s.received_at
            FROM bmp.rib_resync s JOIN bmp.peer p USING (peer_id)) t
            ORDER BY turn, received_at LIMIT 1000""";

    /** By the index {@code rib_route_peer}. */
    private static final String OF_VIEWS = "(r.peer_id::bigint << 3 | r.rib_view)"
            + " BETWEEN CAST(? AS bigint) << 3 | ? AND CAST(? AS bigint) << 3 | ?";

    private static final String STILL_ENDED = "r.generation = ?";
    private static final String ENDED = "SELECT tableoid::regclass::text, ctid::text FROM bmp.rib_route r WHERE "
            + OF_VIEWS + " AND " + STILL_ENDED + " LIMIT " + ROUND;

    /** Of older sessions, not of a table that is through in this one or a newer. */
    private static final String STILL_OLDER = """
            r.session_id < ? AND (CAST(? AS integer) = 0 OR r.family = ?)
            AND NOT EXISTS (SELECT FROM bmp.rib_sync y WHERE y.peer_id = r.peer_id AND y.rib_view = r.rib_view
              AND y.family = r.family AND y.session_id >= ?)
            AND r.route_id NOT IN (SELECT bmp.confirmed_of(?, ?, ?))""";

    private static final String OLDER = "SELECT tableoid::regclass::text, ctid::text FROM bmp.rib_route r WHERE "
            + OF_VIEWS + " AND " + STILL_OLDER + " LIMIT " + ROUND;

    private static final String GONE =
            "r AS (DELETE FROM %s r WHERE r.ctid = ANY (CAST(? AS tid[])) AND " + OF_VIEWS + " AND %s RETURNING r.*)";

    private static final String WITHDRAWN =
            SyntheticRows.values("CAST(? AS timestamptz)", "CAST(? AS bigint)", "CAST(? AS bigint)");

    private static final String IN_FORCE =
            "SELECT FROM bmp.rib_resync WHERE peer_id = ? AND rib_view = ? AND family = ? AND session_id = ?";
    private static final String NEWEST_CONFIRMED = "SELECT coalesce(max(id), 0) FROM bmp.rib_confirmed";

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
            WHERE y.session_id < excluded.session_id""";
    private static final String FORGET_CONFIRMED = "DELETE FROM bmp.rib_confirmed WHERE peer_id = ? AND session_id <= ?"
            + " AND (CAST(? AS integer) = 0 OR family = ? AND rib_view = ?)";
    private static final String RESYNC_DONE =
            "DELETE FROM bmp.rib_resync WHERE peer_id = ? AND rib_view = ? AND family = ? AND session_id = ?";

    /** Tables of routers that are away for too long, and of peers that a router's live session doesn't mention. */
    private static final String EXPIRED = "NOT t.blank AND p.peer_id = t.peer_id AND l.router_id = p.router_id"
            + " AND (NOT l.live AND l.changed_at < now() - CAST(? AS interval)"
            + " OR l.live AND t.session_id < l.session_id AND l.changed_at < now() - CAST(? AS interval))";

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
            SELECT peer_id, rib_view, generation, session_id, CASE WHEN live THEN 0 ELSE %d END, now() FROM over""".formatted(EXPIRED, AFTER_ALL);

    /** Sessions of a collector that has begun anew, in case their own events came late. */
    private static final String SESSIONS_OVER = "UPDATE bmp.live_session l SET live = false, changed_at = c.started_at"
            + " FROM bmp.collector c WHERE c.name = l.collector AND l.session_id < c.session_id AND l.live";

    private static final String ROUTERS_OVER =
            "UPDATE bmp.router r SET connected = false, disconnected_at = c.started_at"
                    + " FROM bmp.collector c WHERE c.name = r.collector AND r.session_id < c.session_id AND r.connected";

    private final int slice;
    private final Partitions partitions = new Partitions();

    private final BooleanSupplier goOn;
    private final @Nullable WithdrawalOutbox outbox;
    private final String removal;
    private final WithdrawalStatistics statistics = new WithdrawalStatistics();

    /**
     * @param slice most rows that one transaction removes
     * @param goOn asked between transactions
     */
    public Withdrawals(int slice, BooleanSupplier goOn) {
        this(slice, goOn, null);
    }

    /** @param outbox where each withdrawal waits for a topic; a sweep ends while it is full. Null: the history alone has them */
    public Withdrawals(int slice, BooleanSupplier goOn, @Nullable WithdrawalOutbox outbox) {
        if (slice < 1) {
            throw new IllegalArgumentException("slices of " + slice + " rows");
        }
        this.slice = slice;
        this.goOn = goOn;
        this.outbox = outbox;
        removal = SyntheticRows.insert(GONE, WITHDRAWN, "r", outbox != null);
    }

    /** @param generation the one that ended; -1: a table is through */
    private record Task(
            int router,
            int peer,
            int view,
            int family,
            int generation,
            long session,
            long sequence,
            OffsetDateTime receivedAt) {
        boolean ended() {
            return generation >= 0;
        }

        /** What ran out of time says so by its place in the session: before all that was said, or after it. */
        WithdrawalCause cause() {
            if (!ended()) {
                return WithdrawalCause.END_OF_RIB;
            }
            return sequence == 0
                    ? WithdrawalCause.UNMENTIONED
                    : sequence == AFTER_ALL ? WithdrawalCause.AWAY : WithdrawalCause.PEER_DOWN;
        }

        int firstView() {
            return view < 0 ? 0 : view;
        }

        int lastView() {
            return view < 0 ? RibKey.LAST_VIEW : view;
        }
    }

    /** Where a row lies. */
    private record Place(String partition, String tid) {}

    /** What has been done, and what is to be done. */
    public WithdrawalStatistics statistics() {
        return statistics;
    }

    /**
     * Ends what has been stale for too long: the tables of routers that did not come back, and of peers that a router's new session
     * hasn't mentioned. Their routes are gone from then on; {@link #sweep} removes the rows.
     *
     * @param connection in auto-commit mode
     * @param away how long a router may be away
     * @param unmentioned how long after the begin of its session a router may not have spoken of a peer
     * @return tables ended
     */
    public long expire(Connection connection, Duration away, Duration unmentioned) throws SQLException {
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
        statistics.expired(tables);
        return tables;
    }

    private static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }

    /**
     * Removes what is to be removed, until there is nothing, the outbox is full, or it is told to stop.
     *
     * @param connection in auto-commit mode
     * @return rows removed
     */
    public long sweep(Connection connection) throws SQLException {
        List<Task> tasks = tasks(connection);
        if (!hasRoom(connection)) { // asked also where there is nothing to do, because it counts those that wait
            return 0;
        }
        long rows = 0;
        while (!tasks.isEmpty()) {
            for (Task task : tasks) {
                if (!goesOn(connection)) {
                    return rows;
                }
                rows += sweep(connection, task);
                statistics.waiting(Math.max(0, statistics.waitingTables() - 1));
            }
            tasks = tasks(connection);
        }
        return rows;
    }

    private boolean goesOn(Connection connection) throws SQLException {
        return goOn.getAsBoolean() && hasRoom(connection);
    }

    /** Rows that may not be removed yet lie where they are: hidden, or stale. */
    private boolean hasRoom(Connection connection) throws SQLException {
        if (outbox == null) {
            return true;
        }
        long waiting = WithdrawalOutbox.waiting(connection);
        statistics.waitingWithdrawals(waiting);
        return !outbox.full(waiting);
    }

    private List<Task> tasks(Connection connection) throws SQLException {
        List<Task> tasks = new ArrayList<>();
        long waiting = 0;
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(TASKS)) {
            while (row.next()) {
                tasks.add(new Task(
                        row.getInt(2),
                        row.getInt(3),
                        row.getInt(4),
                        row.getInt(5),
                        row.getInt(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getObject(9, OffsetDateTime.class)));
                waiting = row.getLong(10);
            }
        }
        statistics.waiting(waiting);
        return tasks;
    }

    private long sweep(Connection connection, Task task) throws SQLException {
        partitions.ensure(
                connection,
                ChronoUnit.MICROS.between(
                        java.time.Instant.EPOCH, task.receivedAt().toInstant()));
        long rows = 0;
        List<Place> found;
        do {
            // What a merge confirms from here on has a higher number: merges that are under way are waited for.
            long confirmedTo = task.ended() ? 0 : alone(connection, task, () -> newestConfirmed(connection));
            found = find(connection, task);
            boolean last = found.size() < ROUND;
            for (int from = 0; from < found.size() || from == 0; from += slice) {
                List<Place> part = found.subList(from, Math.min(found.size(), from + slice));
                boolean finish = last && from + slice >= found.size();
                Long removed = alone(connection, task, () -> remove(connection, task, part, confirmedTo, finish));
                if (removed < 0) {
                    return rows;
                }
                rows += removed;
                statistics.withdrawn(task.cause(), removed);
                if (!goesOn(connection)) {
                    return rows;
                }
            }
        } while (found.size() == ROUND);
        return rows;
    }

    @FunctionalInterface
    private interface Step {
        long run() throws SQLException;
    }

    private static long alone(Connection connection, Task task, Step step) throws SQLException {
        return LaneTransaction.run(connection, transaction -> {
            RouterLocks.own(connection, task.router());
            return step.run();
        });
    }

    private static long newestConfirmed(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(NEWEST_CONFIRMED)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<Place> find(Connection connection, Task task) throws SQLException {
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

    private static int bindViews(PreparedStatement statement, int from, Task task) throws SQLException {
        statement.setInt(from, task.peer());
        statement.setInt(from + 1, task.firstView());
        statement.setInt(from + 2, task.peer());
        statement.setInt(from + 3, task.lastView());
        return from + 4;
    }

    private static int bindStill(PreparedStatement statement, int from, Task task, long confirmedTo)
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

    /** @return rows removed; -1 if the task is no more */
    private long remove(Connection connection, Task task, List<Place> places, long confirmedTo, boolean finish)
            throws SQLException {
        if (!task.ended() && !inForce(connection, task)) {
            return -1;
        }
        long rows = 0;
        Set<String> partitions = new java.util.TreeSet<>();
        places.forEach(place -> partitions.add(place.partition()));
        for (String partition : partitions) {
            Object[] tids = places.stream()
                    .filter(place -> place.partition().equals(partition))
                    .map(Place::tid)
                    .toArray();
            // The name is regclass's own text, quoted where it must be.
            String sql = removal.formatted(partition, task.ended() ? STILL_ENDED : STILL_OLDER);
            try (PreparedStatement remove = connection.prepareStatement(sql)) {
                remove.setArray(1, connection.createArrayOf("text", tids));
                int next = bindStill(remove, bindViews(remove, 2, task), task, confirmedTo);
                remove.setObject(next, task.receivedAt());
                remove.setLong(next + 1, task.session());
                remove.setLong(next + 2, task.sequence());
                rows += remove.executeLargeUpdate();
            }
        }
        if (finish) {
            finish(connection, task);
        }
        return rows;
    }

    private static boolean inForce(Connection connection, Task task) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(IN_FORCE)) {
            query.setInt(1, task.peer());
            query.setInt(2, task.view());
            query.setInt(3, task.family());
            query.setLong(4, task.session());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void finish(Connection connection, Task task) throws SQLException {
        if (task.ended()) {
            execute(connection, ENDED_DONE, task.peer(), task.view(), task.generation());
            return;
        }
        long session = task.session();
        execute(
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
        execute(connection, FORGET_CONFIRMED, task.peer(), session, task.family(), task.family(), task.view());
        execute(connection, RESYNC_DONE, task.peer(), task.view(), task.family(), session);
    }

    private static void execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
