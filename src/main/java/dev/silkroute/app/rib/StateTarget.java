package dev.silkroute.app.rib;

import dev.silkroute.postgres.state.StateSnapshot;
import java.sql.SQLException;

/** Receives the route batches that lead to the current state, from a {@link StateFeed}. */
public interface StateTarget extends StateSnapshot.Listener {
    /** Returns the name for the log, at the beginning of a sentence. */
    String name();

    /** Removes all routes, because the current state follows. */
    void clear() throws SQLException;

    /** Returns the number of routes. */
    long routes();
}
