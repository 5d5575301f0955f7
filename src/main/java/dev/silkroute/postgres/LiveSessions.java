package dev.silkroute.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Which session is each router's live one, folded over a run of events. The newest session decides: the end of an older
 * one changes nothing. Any event of a session newer than all before says that it is up, in case its beginning was missed.
 */
final class LiveSessions {
    private static final String MOVE = """
            INSERT INTO bmp.live_session AS l (router_id, session_id, live)
            SELECT n.router_id, n.session_id, n.live
            FROM (SELECT CAST(? AS integer) AS router_id, CAST(? AS bigint) AS session_id, CAST(? AS boolean) AS live,
              CAST(? AS boolean) AS said) n
            WHERE NOT EXISTS (SELECT FROM bmp.live_session o WHERE o.router_id = n.router_id
              AND (o.session_id > n.session_id
                OR o.session_id = n.session_id AND (o.live = n.live OR NOT n.said)))
            ON CONFLICT (router_id) DO UPDATE SET session_id = excluded.session_id, live = excluded.live
            WHERE l.session_id <= excluded.session_id""";

    private final Map<Integer, State> routers = new HashMap<>();

    /** @param said whether an event said so, or it only follows from there being events */
    private record State(long session, boolean live, boolean said) {}

    void seen(int router, long session) {
        State state = routers.get(router);
        if (state == null || session > state.session) {
            routers.put(router, new State(session, true, false));
        }
    }

    void up(int router, long session) {
        move(router, session, true);
    }

    void down(int router, long session) {
        move(router, session, false);
    }

    private void move(int router, long session, boolean live) {
        State state = routers.get(router);
        if (state == null || session >= state.session) {
            routers.put(router, new State(session, live, true));
        }
    }

    /** Writes what has changed, in the caller's transaction. */
    void write(Connection connection) throws SQLException {
        try (PreparedStatement move = connection.prepareStatement(MOVE)) {
            for (Map.Entry<Integer, State> entry : routers.entrySet()) {
                move.setInt(1, entry.getKey());
                move.setLong(2, entry.getValue().session);
                move.setBoolean(3, entry.getValue().live);
                move.setBoolean(4, entry.getValue().said);
                move.addBatch();
            }
            move.executeBatch();
        }
    }
}
