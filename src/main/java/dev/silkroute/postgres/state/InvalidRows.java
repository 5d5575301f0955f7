package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.route.PeerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code bmp.rib_route} that were left out when the current state was read, because they are invalid. Their
 * routers count as routers of which records are missing. Not thread-safe.
 */
public final class InvalidRows {
    /** Unless the router has begun another session since, in which it sends its tables anyway. */
    private static final String MARK_INCOMPLETE =
            "UPDATE bmp.live_session SET incomplete = true WHERE router_id = ? AND session_id = ? AND NOT incomplete";

    private final Map<Integer, Long> sessions = new HashMap<>();
    private final Map<Table, Long> tables = new HashMap<>();
    private long count;
    private String first = "";

    private record Table(String router, PeerEntry peer) {}

    /** @param peer null if the row is of no RIB view */
    void add(int id, SnapshotBatches.Router router, @Nullable PeerEntry peer, String route, String reason) {
        if (count == 0) {
            first = "router " + router.name() + ", " + route + ": " + reason;
        }
        count++;
        sessions.put(id, router.session());
        if (peer != null) {
            tables.merge(new Table(router.name(), peer), 1L, Long::sum);
        }
    }

    void reportTo(StateSnapshot.Listener listener) {
        tables.forEach((table, rows) -> listener.invalidRows(table.router, table.peer, rows));
    }

    /** Returns the number of rows. */
    public long count() {
        return count;
    }

    /** Returns the number of routers that the rows belong to. */
    public int routers() {
        return sessions.size();
    }

    /** Returns the router, peer, view and prefix of the first row and what is wrong with it; empty without rows. */
    public String first() {
        return first;
    }

    /**
     * Records that the routers' routes are incomplete, so that they count as stale and the routers are made to send
     * their tables again.
     */
    public void markIncomplete(Connection connection) throws SQLException {
        for (Map.Entry<Integer, Long> session : sessions.entrySet()) {
            Sql.update(connection, MARK_INCOMPLETE, session.getKey(), session.getValue());
        }
    }
}
