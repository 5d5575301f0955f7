package dev.silkroute.chaos;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;

/**
 * {@code bmp.route_event} against the topic: each event once, nothing else. What a router says again after a reconnect and what has not changed
 * must be missing. Events that the station made itself are held to be as many as routes are gone without a word. Not thread-safe.
 */
final class HistoryCheck {
    private static final int FETCH = 10_000;
    private static final String QUERY =
            "SELECT session_id, sequence, action, attr FROM bmp.route_event WHERE NOT synthetic"
                    + " ORDER BY session_id, sequence";

    /** An announcement, by a new session, of what was there; a withdrawal of what was not. */
    private static final String NO_CHANGE =
            "SELECT CASE action WHEN 0 THEN 'withdraw' ELSE 'announce' END, peer_id, rib_view,"
                    + " prefix, encode(nlri, 'hex'), path_id, synthetic, session_id, sequence, session_before FROM ("
                    + "SELECT *, lag(action) OVER w AS action_before, lag(attr) OVER w AS attr_before, lag(labels) OVER w AS labels_before,"
                    + " lag(session_id) OVER w AS session_before FROM bmp.route_event"
                    + " WINDOW w AS (PARTITION BY peer_id, rib_view, family, prefix, nlri, rd, path_id ORDER BY session_id, sequence)) e"
                    + " WHERE CASE action WHEN 0 THEN action_before IS DISTINCT FROM 1 ELSE action_before = 1 AND attr = attr_before"
                    + " AND labels IS NOT DISTINCT FROM labels_before AND session_id <> session_before END";

    private final Findings.Kind missing;
    private final Findings.Kind twice;
    private final Findings.Kind unknown;
    private final Findings.Kind repeated;
    private final Findings.Kind other;
    private final Iterator<Map.Entry<Long, SentEvents>> sessions;
    private long session = -1;
    private SentEvents sent = new SentEvents();
    private int at;
    private long lastSequence = -1;
    private long unchanged;

    private HistoryCheck(TopicTruth truth, Findings findings) {
        missing = findings.kind("event of bmp.routes that history lacks");
        twice = findings.kind("event that history has more than once");
        unknown = findings.kind("event of history that is not in bmp.routes");
        repeated = findings.kind("announcement of a new session in history that says nothing new");
        other = findings.kind("event that history has with another content");
        sessions = truth.sessions().entrySet().iterator();
    }

    static HistoryCounts run(Connection connection, TopicTruth truth, Findings findings) throws SQLException {
        HistoryCheck check = new HistoryCheck(truth, findings);
        long rows = 0;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET work_mem = '256MB'");
            statement.setFetchSize(FETCH);
            try (ResultSet row = statement.executeQuery(QUERY)) {
                while (row.next()) {
                    rows++;
                    UUID attributes = row.getObject(4, UUID.class);
                    check.row(
                            row.getLong(1),
                            row.getLong(2),
                            row.getInt(3) == 1,
                            attributes == null ? 0 : attributes.getLeastSignificantBits());
                }
            }
        }
        check.rest();
        check.repeated.close();
        long synthetic = synthetic(connection, truth, findings);
        connection.rollback();
        connection.setAutoCommit(true);
        return new HistoryCounts(
                rows,
                synthetic,
                check.unchanged,
                check.missing.close(),
                check.twice.close(),
                check.unknown.close() + check.other.close());
    }

    /** What is gone without the router's word: as many withdrawals by each event as it makes routes vanish. */
    private static long synthetic(Connection connection, TopicTruth truth, Findings findings) throws SQLException {
        Findings.Kind surplus =
                findings.kind("event with more withdrawals by the station than routes that are gone by it");
        Findings.Kind lacking =
                findings.kind("event with fewer withdrawals by the station than routes that are gone by it");
        Map<TopicTruth.Cause, Long> left = new HashMap<>(truth.withdrawn());
        long rows = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT session_id, sequence, count(*), count(*) FILTER (WHERE action <> 0)"
                                + " FROM bmp.route_event WHERE synthetic GROUP BY 1, 2")) {
            while (row.next()) {
                TopicTruth.Cause cause = new TopicTruth.Cause(row.getLong(1), row.getLong(2));
                Long expected = left.remove(cause);
                long found = row.getLong(3);
                rows += found;
                if (expected == null || found > expected || row.getLong(4) > 0) {
                    surplus.add(cause, "has", found, "of", expected);
                } else if (found < expected - truth.spared().getOrDefault(cause, 0L)) {
                    lacking.add(cause, "has", found, "of", expected);
                }
            }
        }
        left.forEach((cause, expected) -> {
            if (expected > truth.spared().getOrDefault(cause, 0L)) {
                lacking.add(cause, "has none of", expected);
            }
        });
        surplus.close();
        lacking.close();
        return rows;
    }

    /** Events that change nothing: a router that tells its table again adds none to history. */
    static void idle(Connection connection, Findings findings) throws SQLException {
        Findings.Kind idle = findings.kind("event of history that changes nothing");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(NO_CHANGE)) {
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append(row.getMetaData().getColumnLabel(i))
                            .append('=')
                            .append(row.getString(i))
                            .append(' ');
                }
                idle.add(text.toString().strip());
            }
        }
        idle.close();
    }

    private void row(long rowSession, long sequence, boolean announced, long attributes) {
        while (rowSession > session && next()) {
            // what is left of sessions before is missing
        }
        if (rowSession != session) {
            unknown.add("session", rowSession, "sequence", sequence);
            return;
        }
        if (sequence == lastSequence) {
            twice.add("session", rowSession, "sequence", sequence);
            return;
        }
        while (at < sent.size() && sent.sequence(at) < sequence) {
            absent(at++);
        }
        if (at == sent.size() || sent.sequence(at) != sequence) {
            unknown.add("session", rowSession, "sequence", sequence);
            return;
        }
        if (sent.announced(at) != announced || sent.attributes(at) != attributes) {
            other.add("session", rowSession, "sequence", sequence);
        }
        if (sent.unchanged(at)) {
            repeated.add("session", rowSession, "sequence", sequence);
        }
        lastSequence = sequence;
        at++;
    }

    /** Moves to the next session of the topic. */
    private boolean next() {
        while (at < sent.size()) {
            absent(at++);
        }
        if (!sessions.hasNext()) {
            session = Long.MAX_VALUE;
            sent = new SentEvents();
            return false;
        }
        Map.Entry<Long, SentEvents> entry = sessions.next();
        session = entry.getKey();
        sent = entry.getValue();
        at = 0;
        lastSequence = -1;
        return true;
    }

    private void absent(int i) {
        if (sent.unchanged(i)) {
            unchanged++;
        } else {
            missing.add("session", session, "sequence", sent.sequence(i), sent.announced(i) ? "announce" : "withdraw");
        }
    }

    private void rest() {
        while (next()) {
            // to the end
        }
    }
}
