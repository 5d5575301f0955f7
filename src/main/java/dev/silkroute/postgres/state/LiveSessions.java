package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.postgres.lane.LaneGap;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.state.RouterSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sessions of some routers, within one transaction: read from {@code live_session} at its beginning, moved by
 * events, written at its end. {@link RouterSession} decides; this class stores it. A session's {@code since} is stored
 * as the time at which the row is written, not that of the event: a lane that is behind has not read yet what the
 * router has sent since the event. Not thread-safe.
 */
public final class LiveSessions {
    private static final String SESSIONS = """
        SELECT router_id, session_id, live, coalesce(collector, ''), (extract(epoch FROM recorded_at) * 1000000)::bigint,
          incomplete
        FROM bmp.live_session WHERE router_id = ANY (?)
        UNION ALL
        SELECT NULL, session_id, NULL, name, NULL, NULL FROM bmp.collector WHERE name = ANY (?)\
        """;
    private static final String START = """
        INSERT INTO bmp.collector AS c (name, session_id, started_at) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET session_id = excluded.session_id, started_at = excluded.started_at
        WHERE c.session_id < excluded.session_id\
        """;
    /** {@link RouterSession#collectorStarted} for the sessions of all routers. */
    private static final String END_SESSIONS = "UPDATE bmp.live_session SET live = false,"
            + " recorded_at = clock_timestamp() WHERE collector = ? AND session_id < ? AND live";

    private static final String WRITE = """
        INSERT INTO bmp.live_session AS l (router_id, session_id, live, collector, recorded_at)
        VALUES (?, ?, ?, ?, clock_timestamp())
        ON CONFLICT (router_id) DO UPDATE SET session_id = excluded.session_id, live = excluded.live,
          collector = excluded.collector, recorded_at = excluded.recorded_at,
          incomplete = l.incomplete AND NOT (l.session_id < excluded.session_id AND ?)
        WHERE l.session_id <= excluded.session_id\
        """;

    private static final String MARK_INCOMPLETE = """
        INSERT INTO bmp.live_session AS l (router_id, session_id, live, collector, incomplete)
        SELECT router_id, ?, true, ?, true FROM bmp.router WHERE name = ?
        ON CONFLICT (router_id) DO UPDATE SET incomplete = true,
          live = l.live OR l.session_id < excluded.session_id, session_id = excluded.session_id, collector = excluded.collector
        WHERE l.session_id <= excluded.session_id\
        """;

    private static final String ALL_SESSIONS =
            "SELECT router_id, r.name FROM bmp.live_session JOIN bmp.router r USING (router_id) ORDER BY router_id";
    private static final String MARK_ALL_INCOMPLETE =
            "UPDATE bmp.live_session SET incomplete = true WHERE router_id = ANY (?)";

    private final Connection connection;
    private final Map<Integer, RouterSession> routers = new HashMap<>();
    private final Map<String, Long> starts = new HashMap<>();
    private final Map<String, Start> newStarts = new HashMap<>();
    private final Set<Integer> changed = new HashSet<>();
    /**
     * Routers whose newest session was read from its beginning, so that nothing of it is missing. If the beginning is
     * missing too, a router that was incomplete remains so.
     */
    private final Set<Integer> begun = new HashSet<>();

    private final Set<Integer> incomplete = new HashSet<>();

    private int lastRouter;
    private long lastSession = RouterSession.NONE;

    private record Start(long session, long at) {}

    private LiveSessions(Connection connection) {
        this.connection = connection;
    }

    static LiveSessions read(Connection connection, Set<Integer> routers, Collection<RouteBatch> batches)
            throws SQLException {
        LiveSessions read = new LiveSessions(connection);
        List<String> collectors = batches.stream()
                .map(batch -> Text.clean(batch.collector()))
                .distinct()
                .toList();
        Sql.query(
                connection,
                SESSIONS,
                read::add,
                Sql.array(connection, "integer", routers),
                Sql.array(connection, "text", collectors));
        return read;
    }

    private void add(ResultSet row) throws SQLException {
        int router = row.getInt(1);
        if (row.wasNull()) {
            starts.put(row.getString(4), row.getLong(2));
        } else {
            routers.put(router, phase(row.getLong(2), row.getBoolean(3), row.getString(4), row.getLong(5)));
            if (row.getBoolean(6)) {
                incomplete.add(router);
            }
        }
    }

    /** Returns whether events of the router's session are missing: then its End-of-RIB does not end other routes. */
    boolean isIncomplete(int router) {
        return incomplete.contains(router) && !begun.contains(router);
    }

    /** Returns whether a batch is of an older session than the newest one of its router. */
    boolean supersede(int router, RouteBatch batch) {
        return routers.getOrDefault(router, RouterSession.UNKNOWN).supersedes(batch.sessionId());
    }

    /** Returns the phase that a row of {@code live_session} stores. */
    public static RouterSession phase(long session, boolean live, String collector, long since) {
        return live
                ? new RouterSession.Up(session, collector, since)
                : new RouterSession.Down(session, collector, since);
    }

    /** Records that events of a session are missing, unless the router has a newer one. */
    static void markIncomplete(Connection connection, RouteBatch batch) throws SQLException {
        Sql.update(
                connection,
                MARK_INCOMPLETE,
                batch.sessionId(),
                Text.clean(batch.collector()),
                Text.clean(batch.router()));
    }

    /** Records that events of sessions may be missing. @return the number of routers */
    static int markIncomplete(Connection connection, LaneGap gap) throws SQLException {
        List<Integer> concerned = new ArrayList<>();
        Sql.query(connection, ALL_SESSIONS, row -> {
            if (gap.mayContain(row.getString(2))) {
                concerned.add(row.getInt(1));
            }
        });
        Sql.update(connection, MARK_ALL_INCOMPLETE, Sql.array(connection, "integer", concerned));
        return concerned.size();
    }

    /** An event of a router's session, of any kind. Called for every event, of which few change the phase. */
    void event(int router, EventKind kind, RouteBatch batch) {
        long session = batch.sessionId();
        if (session == lastSession && router == lastRouter && kind.hasPeer()) {
            return;
        }
        lastSession = session;
        lastRouter = router;
        String collector = Text.clean(batch.collector());
        long start = starts.getOrDefault(collector, RouterSession.NONE);
        long at = batch.receivedAtMicros();
        RouterSession before = routers.getOrDefault(router, RouterSession.UNKNOWN);
        moveTo(
                router,
                kind == EventKind.SESSION_UP,
                before,
                switch (kind) {
                    case SESSION_UP -> before.sessionUp(session, collector, start, at);
                    case SESSION_DOWN -> before.sessionDown(session, collector, at);
                    default -> before.mentioned(session, collector, start, at);
                });
    }

    private void moveTo(int router, boolean begins, RouterSession before, RouterSession next) {
        if (next.id() != before.id()) {
            if (begins) {
                begun.add(router);
            } else {
                begun.remove(router);
            }
        }
        if (next != before) {
            routers.put(router, next);
            changed.add(router);
        }
    }

    void collectorStarted(RouteBatch batch) {
        String collector = Text.clean(batch.collector());
        long session = batch.sessionId();
        if (session > starts.getOrDefault(collector, RouterSession.NONE)) {
            long at = batch.receivedAtMicros();
            starts.put(collector, session);
            newStarts.put(collector, new Start(session, at));
            Map.copyOf(routers)
                    .forEach((router, before) ->
                            moveTo(router, false, before, before.collectorStarted(collector, session, at)));
        }
    }

    /** Writes what has changed. */
    void write() throws SQLException {
        for (Map.Entry<String, Start> entry : newStarts.entrySet()) {
            Start started = entry.getValue();
            Sql.update(connection, START, entry.getKey(), started.session, Times.of(started.at));
            Sql.update(connection, END_SESSIONS, entry.getKey(), started.session);
        }
        if (changed.isEmpty()) {
            return;
        }
        try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            for (int router : changed) {
                RouterSession session = routers.getOrDefault(router, RouterSession.UNKNOWN);
                Sql.bind(write, router, session.id(), session.isUp(), session.collector(), begun.contains(router));
                write.addBatch();
            }
            write.executeBatch();
        }
    }
}
