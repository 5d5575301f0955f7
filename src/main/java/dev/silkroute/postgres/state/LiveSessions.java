package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.Text;
import dev.silkroute.postgres.copy.Times;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Which session is each router's live one, folded over a run of events. The newest session decides: the end of an older
 * one changes nothing. Any event of a session newer than all before says that it is up, in case its beginning was missed; not so if
 * its collector has begun anew since. What changes is written with the event's time and with the time at which it is written, from
 * which {@code StaleTables} counts.
 */
final class LiveSessions {
    private static final String START = """
            INSERT INTO bmp.collector AS c (name, session_id, started_at) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET session_id = excluded.session_id, started_at = excluded.started_at
            WHERE c.session_id < excluded.session_id""";
    private static final String LOSE = "UPDATE bmp.live_session SET live = false, changed_at = ?,"
            + " noted_at = clock_timestamp() WHERE collector = ? AND session_id < ? AND live";
    private static final String MOVE = """
            INSERT INTO bmp.live_session AS l (router_id, session_id, live, collector, changed_at, noted_at)
            SELECT n.router_id, n.session_id, n.live, n.collector, n.at, clock_timestamp()
            FROM (
              SELECT m.router_id, m.session_id, m.collector, m.at, m.live AND NOT over AS live, m.said OR over AS said
              FROM (SELECT CAST(? AS integer) AS router_id, CAST(? AS bigint) AS session_id, CAST(? AS boolean) AS live,
                  CAST(? AS boolean) AS said, CAST(? AS text) AS collector, CAST(? AS timestamptz) AS at) m,
                LATERAL (SELECT EXISTS (SELECT FROM bmp.collector c
                  WHERE c.name = m.collector AND c.session_id > m.session_id) AS over) o) n
            WHERE NOT EXISTS (SELECT FROM bmp.live_session o WHERE o.router_id = n.router_id
              AND (o.session_id > n.session_id
                OR o.session_id = n.session_id AND (o.live = n.live OR NOT n.said)))
            ON CONFLICT (router_id) DO UPDATE SET session_id = excluded.session_id, live = excluded.live,
              collector = excluded.collector, changed_at = excluded.changed_at, noted_at = excluded.noted_at
            WHERE l.session_id <= excluded.session_id""";

    private final Map<Integer, State> routers = new HashMap<>();
    private final Map<String, Start> starts = new HashMap<>();

    /**
     * @param said whether an event said so, or it only follows from there being events
     * @param at of that event, microseconds since 1970
     */
    private record State(long session, boolean live, boolean said, String collector, long at) {}

    private record Start(long session, long at) {}

    void seen(int router, long session, String collector, long at) {
        State state = routers.get(router);
        if (state == null || session > state.session) {
            routers.put(router, new State(session, true, false, collector, at));
        }
    }

    void up(int router, long session, String collector, long at) {
        move(router, new State(session, true, true, collector, at));
    }

    void down(int router, long session, String collector, long at) {
        move(router, new State(session, false, true, collector, at));
    }

    private void move(int router, State next) {
        State state = routers.get(router);
        if (state == null || next.session >= state.session) {
            routers.put(router, next);
        }
    }

    /** A collector began: sessions of it with a smaller id ended with the one before it, whether they said so or not. */
    void collectorStart(String collector, long session, long at) {
        Start start = starts.get(collector);
        if (start == null || start.session < session) {
            starts.put(collector, new Start(session, at));
        }
    }

    /** Writes what has changed, in the caller's transaction. */
    void write(Connection connection) throws SQLException {
        for (Map.Entry<String, Start> entry : starts.entrySet()) {
            String collector = Text.clean(entry.getKey());
            OffsetDateTime at = Times.of(entry.getValue().at);
            try (PreparedStatement start = connection.prepareStatement(START);
                    PreparedStatement lose = connection.prepareStatement(LOSE)) {
                start.setString(1, collector);
                start.setLong(2, entry.getValue().session);
                start.setObject(3, at);
                start.executeUpdate();
                lose.setObject(1, at);
                lose.setString(2, collector);
                lose.setLong(3, entry.getValue().session);
                lose.executeUpdate();
            }
        }
        try (PreparedStatement move = connection.prepareStatement(MOVE)) {
            for (Map.Entry<Integer, State> entry : routers.entrySet()) {
                State state = entry.getValue();
                move.setInt(1, entry.getKey());
                move.setLong(2, state.session);
                move.setBoolean(3, state.live);
                move.setBoolean(4, state.said);
                move.setString(5, Text.clean(state.collector));
                move.setObject(6, Times.of(state.at));
                move.addBatch();
            }
            move.executeBatch();
        }
    }
}
