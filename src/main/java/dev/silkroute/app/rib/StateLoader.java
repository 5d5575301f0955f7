package dev.silkroute.app.rib;

import dev.silkroute.component.lane.TopicInspector;
import dev.silkroute.component.lane.TopicState;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.state.InvalidRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Loads a {@link FeedTarget} from a snapshot in PostgreSQL, together with the offsets of its topic that the snapshot
 * includes. Applying the topic from there on leads every instance to the same state,
 * whenever it starts.
 */
final class StateLoader {
    private static final Logger LOGGER = Logger.getLogger(StateLoader.class);

    private final FeedTarget target;
    private final DataSource database;
    private final TopicInspector kafka;

    StateLoader(FeedTarget target, DataSource database, TopicInspector kafka) {
        this.target = target;
        this.database = database;
        this.kafka = kafka;
    }

    /**
     * The result of loading.
     *
     * @param topic the topic after loading
     * @param offsets by partition, up to where the target includes the topic
     * @param gapRecords records that neither the snapshot includes nor Kafka has any more
     * @param invalidRows rows of the snapshot that were left out
     */
    record State(TopicState topic, Map<Integer, LaneOffset> offsets, long gapRecords, long invalidRows) {}

    /** Clears the target and loads it. */
    State load(String topic) throws SQLException, ExecutionException {
        long started = System.nanoTime();
        target.clear();
        Map<Integer, LaneOffset> offsets = new HashMap<>();
        InvalidRows invalid = new InvalidRows();
        try (Connection connection = database.getConnection()) {
            offsets.putAll(target.load(connection, kafka.find(topic).id(), invalid));
            report(invalid, connection);
        }
        TopicState now = kafka.find(topic); // asked for after the offsets: an older answer might end before them
        stepBack(topic, kafka.truncated(topic, now, offsets), offsets);
        long gap = skipExpired(topic, expired(now, offsets), offsets);
        State state = new State(now, kafka.withTimestamps(topic, offsets), gap, invalid.count());
        LOGGER.infof(
                "%s loaded: %s in %.1f s; %d records of %s to apply",
                target.name(),
                target.size(),
                (System.nanoTime() - started) / 1e9,
                recordsToGo(now, state.offsets),
                topic);
        return state;
    }

    /** The target is usable without the rows, also if the database is read-only. */
    private void report(InvalidRows invalid, Connection connection) {
        if (invalid.count() == 0) {
            return;
        }
        LOGGER.warnf(
                "%s: %d invalid rows of bmp.rib_route were left out. The routes of the %d routers that they belong to"
                        + " count as stale until the routers send their tables again. The first row: %s",
                target.name(), invalid.count(), invalid.routers(), invalid.first());
        try {
            invalid.markIncomplete(connection);
        } catch (SQLException e) {
            LOGGER.warnf(
                    "%s: the routers of the invalid rows could not be marked as incomplete in the database, so their"
                            + " sessions are not ended. End them, or correct the rows and restart the station: %s",
                    target.name(), e.getMessage());
        }
    }

    /**
     * Continues at the end of partitions that Kafka has truncated, as after a power failure. If the broker only
     * reported an end that is too early, some records are applied twice in their order, which leads to the same state.
     */
    private static void stepBack(String topic, Map<Integer, Long> truncated, Map<Integer, LaneOffset> offsets) {
        truncated.forEach((partition, end) -> {
            LaneOffset position = offsets.get(partition);
            if (position != null) {
                LOGGER.warnf(
                        "Kafka has lost records: %s-%d ended at offset %d, and what is stored includes it up to %d",
                        topic, partition, end, position.next());
                offsets.put(partition, position.movedTo(end));
            }
        });
    }

    /** Returns the starts of partitions that start after what has to be applied next. */
    static Map<Integer, Long> expired(TopicState topic, Map<Integer, LaneOffset> offsets) {
        Map<Integer, Long> expired = new HashMap<>(topic.starts());
        expired.entrySet().removeIf(start -> {
            LaneOffset position = offsets.get(start.getKey());
            return position == null || start.getValue() <= position.next();
        });
        return expired;
    }

    private static long skipExpired(String topic, Map<Integer, Long> expired, Map<Integer, LaneOffset> offsets) {
        long gap = 0;
        for (Map.Entry<Integer, Long> start : expired.entrySet()) {
            int partition = start.getKey();
            LaneOffset position = offsets.getOrDefault(partition, LaneOffset.at(0));
            long lost = start.getValue() - position.next();
            LOGGER.warnf(
                    "%d records of %s-%d expired before they were stored: it starts at offset %d, and what is stored includes it up to %d",
                    lost, topic, partition, start.getValue(), position.next());
            gap += lost;
            offsets.put(partition, LaneOffset.at(start.getValue()));
        }
        return gap;
    }

    /** Returns the number of records of a topic from some offsets on. */
    static long recordsToGo(TopicState topic, Map<Integer, LaneOffset> offsets) {
        long records = 0;
        for (Map.Entry<Integer, Long> end : topic.ends().entrySet()) {
            long start = topic.starts().getOrDefault(end.getKey(), 0L);
            LaneOffset position = offsets.get(end.getKey());
            long next = position == null ? start : Math.max(start, position.next());
            records += Math.max(0, end.getValue() - next);
        }
        return records;
    }
}
