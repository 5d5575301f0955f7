package dev.silkroute.chaos;

import dev.silkroute.load.LoadRouter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What a station's database holds of routers' tables, for tests that have a station of their own. */
public final class Tables {
    private Tables() {}

    /** How current state, stale routes included, differs from what the routers have; nothing where it doesn't. */
    public static List<String> faultsOfState(Connection connection, List<LoadRouter> routers) throws SQLException {
        Findings findings = new Findings();
        StateCheck.current(connection, StateCheck.expected(routers), findings);
        return findings.texts();
    }

    /** How the state that history tells differs from what the routers have, and what in it changes nothing. */
    public static List<String> faultsOfHistory(Connection connection, List<LoadRouter> routers) throws SQLException {
        Findings findings = new Findings();
        StateCheck.history(connection, StateCheck.expected(routers), findings);
        HistoryCheck.idle(connection, findings);
        return findings.texts();
    }
}
