package dev.silkroute.app.rib;

import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.state.InvalidRows;
import dev.silkroute.postgres.state.StateSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** Follows {@code bmp.routes}: receives the route batches that lead to the current state. */
public interface StateTarget extends FeedTarget, StateSnapshot.Listener {
    /** Returns the number of routes. */
    long routes();

    @Override
    default Map<Integer, LaneOffset> load(Connection connection, UUID topicId, InvalidRows invalid)
            throws SQLException {
        return StateSnapshot.read(connection, "current", topicId, this, invalid);
    }

    @Override
    default String size() {
        return routes() + " routes";
    }
}
