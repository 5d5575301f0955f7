package dev.silkroute.chaos;

import dev.silkroute.load.ExpectedTable;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.Family;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares the routes that the station holds with those that the routers have, route by route. */
final class StateCheck {
    private static final int FETCH = 10_000;

    /** The current state. */
    private static final String CURRENT =
            "SELECT router, host(peer_address), rib_view, family, nlri, coalesce(path_id, -1),"
                    + " as_path, stale, session_id FROM bmp.v_rib";

    /**
     * The state by the last event of each route in history. Withdrawals by the station have the sequence of the event
     * that caused them.
     */
    private static final String HISTORY =
            "SELECT router, host(peer_address), rib_view, family, nlri, coalesce(path_id, -1),"
                    + " as_path, false, session_id FROM bmp.v_route_history JOIN (SELECT max(ARRAY[session_id, sequence]) AS place"
                    + " FROM bmp.route_event GROUP BY peer_id, rib_view, family, rd, prefix, nlri, path_id) last"
                    + " ON session_id = place[1] AND sequence = place[2] WHERE event = 'announce'";

    private StateCheck() {}

    /** Returns the AS path of each route. */
    static Map<String, String> expected(List<LoadRouter> routers) {
        Map<String, String> routes = new HashMap<>();
        for (LoadRouter router : routers) {
            for (ExpectedTable rib : ExpectedTable.of(router)) {
                String table = String.join(
                                "|", rib.router(), rib.peerAddress(), rib.view().text(), Family.text(rib.family()))
                        + "|";
                rib.forEach(route -> routes.put(
                        table + route.nlri() + "|" + Integer.toUnsignedString(route.pathId()), route.asPath()));
            }
        }
        return routes;
    }

    static void current(Connection connection, Map<String, String> expected, Findings findings) throws SQLException {
        compare(connection, CURRENT, "current state", expected, findings);
    }

    static void history(Connection connection, Map<String, String> expected, Findings findings) throws SQLException {
        compare(connection, HISTORY, "state according to history", expected, findings);
    }

    private static void compare(
            Connection connection, String query, String where, Map<String, String> expected, Findings findings)
            throws SQLException {
        Findings.Kind stale = findings.kind("route that its router has but that is stale in " + where);
        Findings.Kind other = findings.kind("route with other attributes in " + where);
        Findings.Kind surplus = findings.kind("surplus route in " + where);
        Findings.Kind missing = findings.kind("route missing in " + where);
        Map<String, String> left = new HashMap<>(expected);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCH);
            try (ResultSet row = statement.executeQuery(query)) {
                while (row.next()) {
                    String route = String.join(
                            "|",
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            row.getLong(6) < 0 ? Integer.toUnsignedString(-1) : row.getString(6));
                    String asPath = left.remove(route);
                    if (asPath == null) {
                        surplus.add(route, "of session", row.getLong(9));
                    } else if (!asPath.equals(row.getString(7))) {
                        other.add(route, "has", row.getString(7), "and not", asPath);
                    }
                    if (asPath != null && row.getBoolean(8)) {
                        stale.add(route, "of session", row.getLong(9));
                    }
                }
            }
        }
        connection.rollback();
        connection.setAutoCommit(true);
        left.keySet().forEach(missing::add);
        List.of(stale, other, surplus, missing).forEach(Findings.Kind::close);
    }
}
