package dev.silkroute.chaos;

import dev.silkroute.load.LoadRouter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Compares a station's database with the tables of routers, for tests that start their own station. */
public final class Tables {
    private Tables() {}

    /** Returns the differences between the current state, stale routes included, and the routers' tables. */
    public static List<String> faultsOfState(Connection connection, List<LoadRouter> routers) throws SQLException {
        Findings findings = new Findings();
        StateCheck.current(connection, StateCheck.expected(routers), findings);
        return findings.texts();
    }

    /**
     * Returns the differences between the state according to history and the routers' tables, and events that change
     * nothing.
     */
    public static List<String> faultsOfHistory(Connection connection, List<LoadRouter> routers) throws SQLException {
        Findings findings = new Findings();
        StateCheck.history(connection, StateCheck.expected(routers), findings);
        HistoryCheck.idle(connection, findings);
        return findings.texts();
    }
}
