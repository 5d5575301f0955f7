package dev.silkroute.chaos;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Compares {@code bmp.route_event} with the topic route by route, see {@link RouteCheck}. Not thread-safe. */
final class HistoryCheck {
    private static final int FETCH = 10_000;
    private static final String ROUTE = "peer_id, rib_view, family, prefix, nlri, rd, path_id";
    private static final String QUERY = "SELECT dense_rank() OVER (ORDER BY " + ROUTE + ") AS route,"
            + " session_id, sequence, action, synthetic, attribute_hash FROM bmp.route_event ORDER BY route, session_id, sequence";

    /** Selects announcements that repeat the state of an earlier session and withdrawals of absent routes. */
    private static final String NO_CHANGE =
            "SELECT CASE action WHEN 0 THEN 'withdraw' ELSE 'announce' END, peer_id, rib_view,"
                    + " prefix, encode(nlri, 'hex'), path_id, synthetic, session_id, sequence, session_before FROM ("
                    + "SELECT *, lag(action) OVER w AS action_before, lag(attribute_hash) OVER w AS attr_before, lag(labels) OVER w AS labels_before,"
                    + " lag(session_id) OVER w AS session_before FROM bmp.route_event"
                    + " WINDOW w AS (PARTITION BY peer_id, rib_view, family, prefix, nlri, rd, path_id ORDER BY session_id, sequence)) e"
                    + " WHERE CASE action WHEN 0 THEN action_before IS DISTINCT FROM 1 ELSE action_before = 1 AND attribute_hash = attr_before"
                    + " AND labels IS NOT DISTINCT FROM labels_before AND session_id <> session_before END";

    private final TopicTruth truth;
    private final RouteCheck routes;
    private final Findings.Kind mixed;
    private final List<HistoryRow> rows = new ArrayList<>();
    private long route = -1;
    private long routerRows;
    private long synthetic;

    HistoryCheck(TopicTruth truth, Findings findings) {
        this.truth = truth;
        routes = new RouteCheck(findings);
        mixed = findings.kind("event that history attributes to another route");
    }

    static HistoryCounts run(Connection connection, TopicTruth truth, Findings findings) throws SQLException {
        HistoryCheck check = new HistoryCheck(truth, findings);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL work_mem = '256MB'");
            statement.setFetchSize(FETCH);
            try (ResultSet row = statement.executeQuery(QUERY)) {
                while (row.next()) {
                    UUID attributes = row.getObject(6, UUID.class);
                    check.add(
                            row.getLong(1),
                            new HistoryRow(
                                    row.getLong(2),
                                    row.getLong(3),
                                    row.getInt(4) == 1,
                                    row.getBoolean(5),
                                    attributes == null ? 0 : attributes.getLeastSignificantBits()));
                }
            }
        }
        connection.rollback();
        connection.setAutoCommit(true);
        return check.close();
    }

    /** @param ofRoute a number that identifies the route; its rows are consecutive, ordered by session and sequence */
    void add(long ofRoute, HistoryRow row) {
        if (ofRoute != route) {
            judge();
            route = ofRoute;
        }
        rows.add(row);
        if (row.synthetic()) {
            synthetic++;
        } else {
            routerRows++;
        }
    }

    HistoryCounts close() {
        judge();
        truth.forEach(story -> {
            if (story.find()) {
                routes.check(story, List.of());
            }
        });
        mixed.close();
        return routes.close(routerRows, synthetic);
    }

    /** Returns the route of the topic that the rows belong to, determined from their events. */
    private void judge() {
        RouteStory story = null;
        List<HistoryRow> own = new ArrayList<>(rows.size());
        for (HistoryRow row : rows) {
            RouteStory of = row.synthetic() ? null : truth.route(row.session(), row.sequence());
            if (!row.synthetic() && of == null) {
                routes.unknown(row);
            } else if (story != null && of != null && of != story) {
                mixed.add(row, "of", of, "and", story);
            } else {
                story = of == null ? story : of;
                own.add(row);
            }
        }
        rows.clear();
        if (story == null) {
            own.forEach(routes::unknown);
        } else if (story.find()) {
            routes.check(story, own);
        } else {
            own.forEach(row -> mixed.add(row));
        }
    }

    /** Finds events that change nothing: a router that sends its table again must not add any to history. */
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
}
