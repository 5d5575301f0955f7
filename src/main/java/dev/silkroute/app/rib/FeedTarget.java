package dev.silkroute.app.rib;

import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.state.InvalidRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/** Follows a topic: a {@link StateFeed} has it loaded from PostgreSQL, and then it applies the records after that. */
public interface FeedTarget {
    /** Returns the name for the log, at the beginning of a sentence. */
    String name();

    /**
     * Removes everything, because the current state follows.
     *
     * @throws ExecutionException if Kafka is unavailable; the message has the reason
     */
    void clear() throws SQLException, ExecutionException;

    /**
     * Loads what PostgreSQL contains of the topic.
     *
     * @param connection in auto-commit mode; left so
     * @param invalid empty; rows that are left out are added to it
     * @return the offsets up to which that includes the topic, by partition
     */
    Map<Integer, LaneOffset> load(Connection connection, UUID topicId, InvalidRows invalid) throws SQLException;

    /** Returns the number of what has been loaded, with a noun. */
    String size();
}
