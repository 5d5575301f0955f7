package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The newest session of some routers in the order of the topic, within one transaction of a history: read from {@code
 * history_session} at its beginning, written at its end. A router that feeds several collectors has a session with each
 * of them, and all of them report the same events; those of the newest one are stored.
 *
 * <p>Read in each transaction rather than remembered: another writer may have had the router's partition meanwhile. Not
 * thread-safe.
 */
final class NewestSessions {
    private static final String READ =
            "SELECT router_id, session_id FROM bmp.history_session WHERE history = ? AND router_id = ANY (?)";
    private static final String BEGUN = """
        SELECT EXISTS (SELECT FROM bmp.peer_event WHERE router_id = ? AND event = 'session-up' AND session_id > ?
          AND received_at <= ?)\
        """;
    private static final String WRITE = """
        INSERT INTO bmp.history_session AS s (history, router_id, session_id) VALUES (?, ?, ?)
        ON CONFLICT (history, router_id) DO UPDATE SET session_id = excluded.session_id
        WHERE s.session_id < excluded.session_id\
        """;

    private final Connection connection;
    private final String history;
    private final Map<Integer, Long> sessions = new HashMap<>();
    private final TreeSet<Integer> changed = new TreeSet<>();

    private NewestSessions(Connection connection, String history) {
        this.connection = connection;
        this.history = history;
    }

    /** @param history the table of the history */
    static NewestSessions read(Connection connection, String history, Collection<Integer> routers) throws SQLException {
        NewestSessions read = new NewestSessions(connection, history);
        if (!routers.isEmpty()) {
            Sql.query(
                    connection,
                    READ,
                    row -> read.sessions.put(row.getInt(1), row.getLong(2)),
                    history,
                    Sql.array(connection, "integer", routers));
        }
        return read;
    }

    /**
     * Takes over the session of the next batch of the topic.
     *
     * @return false if the router has a newer one, so that the batch is not to be stored
     */
    boolean counts(int router, RouteBatch batch) {
        long session = batch.sessionId();
        long newest = sessions.getOrDefault(router, Long.MIN_VALUE);
        if (session > newest) {
            sessions.put(router, session);
            changed.add(router);
        }
        return session >= newest;
    }

    /**
     * Returns whether a batch that was decoded again is to be stored: it was received before the router's next session
     * began.
     */
    boolean counted(int router, RouteBatch batch) throws SQLException {
        return !Sql.bool(connection, BEGUN, router, batch.sessionId(), Times.of(batch.receivedAtMicros()));
    }

    /** Writes what has changed, in the order of the routers, so that two transactions do not wait for each other. */
    void write() throws SQLException {
        if (changed.isEmpty()) {
            return;
        }
        try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            for (int router : changed) {
                Sql.bind(write, history, router, sessions.get(router));
                write.addBatch();
            }
            write.executeBatch();
        }
    }
}
