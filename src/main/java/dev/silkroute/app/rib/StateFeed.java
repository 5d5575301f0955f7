package dev.silkroute.app.rib;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.component.lane.OffsetStore;
import dev.silkroute.component.lane.TopicInspector;
import dev.silkroute.component.lane.TopicState;
import dev.silkroute.component.rib.RibOffsets;
import dev.silkroute.digest.Position;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LanePosition;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the offsets up to which a {@link FeedTarget} has applied its topic, and has the target loaded when it
 * has none. Where the lane's consumer starts is asked for here; the first time, that waits until {@link StateLoader}
 * has loaded the state from PostgreSQL.
 *
 * <p>The target is loaded again when Kafka no longer has the records that it has to apply next: the topic was deleted
 * or truncated, or its retention has overtaken the target. The consumer then has to reconnect, because it may hold
 * records from before; as {@link OffsetStore} specifies, an {@link IllegalStateException} makes it do so.
 *
 * <p>The lane has one consumer, on whose thread everything runs except {@link #ready}, {@link #lastUpdated}, {@link
 * #recordsToGo}, {@link #gapRecords}, {@link #invalidRows} and {@link #position}.
 */
public abstract class StateFeed implements OffsetStore, RibOffsets {
    private static final Logger LOGGER = Logger.getLogger(StateFeed.class);
    private static final long RETRY_SECONDS = 2;

    private final TopicInspector kafka;
    private final StateLoader loader;
    private final String name;
    private final LongAdder gapRecords = new LongAdder();
    private final LongAdder invalidRows = new LongAdder();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** The offsets up to which the target has applied the topic, by partition. */
    private final Map<Integer, LaneOffset> applied = new ConcurrentHashMap<>();

    /** The offsets up to which the consumer has read, by partition. It continues there unless Kafka moves it. */
    private final Map<Integer, LaneOffset> read = new HashMap<>();

    /** The latest timestamp of an applied record; {@link LanePosition#NO_TIME} if there is none. */
    private volatile long lastUpdated = LanePosition.NO_TIME;

    /** Kafka has moved the consumer, so the target has to be loaded again. */
    private boolean moved;

    /**
     * The topic when the target had been loaded; null while it is not. The target is ready when it has applied what the
     * topic contained then.
     */
    private volatile @Nullable TopicState loaded;

    protected StateFeed(FeedTarget target, DataSource database, KafkaAccess access) {
        kafka = new TopicInspector(access.with(Map.of()));
        loader = new StateLoader(target, database, kafka);
        name = target.name();
    }

    /**
     * The number of records of the topic, when the target was loaded, that it has not applied yet; empty while it is
     * being loaded.
     */
    public OptionalLong recordsToGo() {
        TopicState topic = loaded;
        return topic == null ? OptionalLong.empty() : OptionalLong.of(StateLoader.recordsToGo(topic, applied));
    }

    @Override
    public OptionalLong lastUpdated() {
        long time = lastUpdated;
        return time == LanePosition.NO_TIME ? OptionalLong.empty() : OptionalLong.of(time);
    }

    @Override
    public boolean ready() {
        OptionalLong records = recordsToGo();
        return records.isPresent() && records.getAsLong() == 0;
    }

    /** The position up to which the target includes the topic at least. */
    public Position position() {
        TopicState topic = loaded;
        if (topic == null) {
            return Position.UNKNOWN;
        }
        Map<Integer, Long> offsets = new HashMap<>();
        applied.forEach((partition, offset) -> offsets.put(partition, offset.next()));
        return new Position(topic.id().toString(), offsets, lastUpdated());
    }

    /**
     * The number of records that expired in Kafka before the target applied them, and that the database did not include
     * either.
     */
    public long gapRecords() {
        return gapRecords.sum();
    }

    /** The number of rows that the loads so far have left out because they are invalid. */
    public long invalidRows() {
        return invalidRows.sum();
    }

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        LaneOffset position = applied.get(partition);
        return position == null || offset >= position.next();
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        LaneOffset position = read.getOrDefault(partition, LaneOffset.at(0));
        applied.put(partition, position.movedTo(offset + 1));
        if (offset + 1 == position.next()) { // before that, the newest record read is not applied
            lastUpdated = Math.max(lastUpdated, position.newest());
        }
    }

    @Override
    public OptionalLong nextOffset(TopicPartition partition) {
        ensureLoaded(partition.topic());
        LaneOffset position = applied.get(partition.partition());
        if (position == null) {
            read.remove(partition.partition());
            return OptionalLong.empty();
        }
        read.put(partition.partition(), position);
        return OptionalLong.of(position.next());
    }

    /**
     * Checks that a record is the one that follows the record read before it.
     *
     * @throws IllegalStateException if Kafka has moved the consumer because it no longer has the records in between
     */
    @Override
    public void onRead(TopicPartition partition, long offset, long timestamp) {
        LaneOffset before = read.get(partition.partition());
        LaneOffset position = before == null ? LaneOffset.at(0) : before;
        read.put(partition.partition(), position.after(offset, timestamp));
        if (before != null
                && (offset < before.next() || offset > before.next() && !hasRecordsFrom(partition, before.next()))) {
            moved = true;
            throw new IllegalStateException(
                    "Kafka returned offset %d of %s instead of %d: it has lost records; %s will be loaded again"
                            .formatted(offset, partition, before.next(), name));
        }
    }

    /**
     * Offsets may be missing without a loss, such as that of a transaction's end, if the partition starts before them.
     */
    private boolean hasRecordsFrom(TopicPartition partition, long offset) {
        try {
            return kafka.find(partition.topic()).starts().getOrDefault(partition.partition(), 0L) <= offset;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The start of " + partition + " is unknown: " + e.getMessage(), e);
        }
    }

    /**
     * Loads the target if it is not loaded or the topic has lost what it has to apply next; retries until that
     * succeeds.
     *
     * @throws IllegalStateException if the target was loaded again although the consumer had not been rejected, or if
     *     the station stops
     */
    private synchronized void ensureLoaded(String topic) {
        boolean reconnect = loaded != null && !moved;
        while (true) {
            try {
                if (!isCurrent(topic)) {
                    load(topic);
                    if (reconnect) {
                        throw new IllegalStateException(name + " has been loaded again, the consumer has to reconnect");
                    }
                }
                return;
            } catch (SQLException | ExecutionException e) {
                LOGGER.warnf("%s could not be loaded, retrying in %d s: %s", name, RETRY_SECONDS, e.getMessage());
            }
            try {
                if (stopped.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the station is stopping");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the station is stopping", e);
            }
        }
    }

    /** Has the target loaded again when the consumer connects. Not for use while it is connected. */
    protected synchronized void loadAgain() {
        loaded = null;
    }

    private boolean isCurrent(String topic) throws ExecutionException {
        TopicState before = loaded;
        if (before == null || moved) {
            return false;
        }
        TopicState now = kafka.find(topic);
        return before.id().equals(now.id())
                && StateLoader.expired(now, applied).isEmpty()
                && kafka.truncated(topic, now, applied).isEmpty();
    }

    private void load(String topic) throws SQLException, ExecutionException {
        loaded = null; // not ready from here on
        applied.clear();
        StateLoader.State state = loader.load(topic);
        gapRecords.add(state.gapRecords());
        invalidRows.add(state.invalidRows());
        applied.putAll(state.offsets());
        lastUpdated =
                applied.values().stream().mapToLong(LaneOffset::newest).max().orElse(LanePosition.NO_TIME);
        loaded = state.topic();
        moved = false;
    }

    /** Ends a load that is being retried. */
    protected void stop() {
        stopped.countDown();
        kafka.close();
    }
}
