package dev.silkroute.app.rib;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.component.lane.OffsetStore;
import dev.silkroute.component.lane.TopicInspector;
import dev.silkroute.component.lane.TopicState;
import dev.silkroute.component.rib.RibOffsets;
import dev.silkroute.postgres.lane.LanePlace;
import dev.silkroute.postgres.state.StateSnapshot;
import dev.silkroute.rib.Rib;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
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
 * Where the RIB begins and stands: with the current state in PostgreSQL, and with {@code bmp.routes} from the place on
 * up to which that has heard. So every instance comes to the same state, whenever it starts. The consumer of {@code
 * rib.camel.yaml} asks here where to read on; the first time it waits until the state is read.
 */
@Singleton
@Named("ribFeed")
@Unremovable
public final class RibFeed implements OffsetStore, RibOffsets, StateSnapshot.Listener {
    private static final Logger LOGGER = Logger.getLogger(RibFeed.class);
    private static final String LANE = "current";
    private static final long PAUSE_SECONDS = 2;

    private final Rib rib;
    private final DataSource database;
    private final TopicInspector kafka;
    private final LongAdder gapRecords = new LongAdder();
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** By partition, up to where the RIB has it. */
    private final Map<Integer, LanePlace> places = new ConcurrentHashMap<>();

    /**
     * By partition, up to where the consumer has read: it goes on there, unless Kafka puts it somewhere else by itself.
     */
    private final Map<Integer, LanePlace> reading = new HashMap<>();

    private boolean astray;

    /** What the topic held when the state had been read: the RIB is ready when it has applied that. */
    private volatile @Nullable TopicState begun;

    RibFeed(Rib rib, DataSource database, KafkaAccess access) {
        this.rib = rib;
        this.database = database;
        kafka = new TopicInspector(access.with(Map.of()));
    }

    /**
     * Records that are to be applied before the RIB is as far as the topic was when it began; empty before it begins.
     */
    public OptionalLong behind() {
        TopicState topic = begun;
        if (topic == null) {
            return OptionalLong.empty();
        }
        long records = 0;
        for (Map.Entry<Integer, Long> end : topic.ends().entrySet()) {
            long from = topic.starts().getOrDefault(end.getKey(), 0L);
            records += Math.max(0, end.getValue() - Math.max(from, next(end.getKey(), from)));
        }
        return OptionalLong.of(records);
    }

    /** Whether it has come as far as the topic was when it began; {@link #behind} counts no later records. */
    @Override
    public boolean ready() {
        OptionalLong records = behind();
        return records.isPresent() && records.getAsLong() == 0;
    }

    /**
     * Records that Kafka had no more when the RIB came to them, and that the state in PostgreSQL didn't have either.
     */
    public long gapRecords() {
        return gapRecords.sum();
    }

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        return offset >= next(partition, 0);
    }

    private long next(int partition, long otherwise) {
        LanePlace place = places.get(partition);
        return place == null ? otherwise : place.next();
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        places.put(partition, reading.getOrDefault(partition, LanePlace.at(0)).movedTo(offset + 1));
    }

    @Override
    public OptionalLong nextOffset(TopicPartition at) {
        begin(at.topic());
        LanePlace place = places.get(at.partition());
        if (place == null) {
            reading.remove(at.partition());
            return OptionalLong.empty();
        }
        reading.put(at.partition(), place);
        return OptionalLong.of(place.next());
    }

    /**
     * Checks that a record is the one that was to come next.
     *
     * @throws IllegalStateException if Kafka doesn't have what was to come next: then it has put the consumer somewhere
     *     else by itself, and the consumer has to connect anew and ask where to read on
     */
    @Override
    public void onRead(TopicPartition at, long offset, long timestamp) {
        int partition = at.partition();
        LanePlace before = reading.get(partition);
        LanePlace place = before == null ? LanePlace.at(0) : before;
        reading.put(partition, place.behind(offset, timestamp));
        if (before != null
                && (offset < before.next() || offset > before.next() && !has(at.topic(), partition, before.next()))) {
            astray = true;
            throw new IllegalStateException(
                    "%s-%d gave %d where %d was to come: Kafka has lost records, the RIB begins anew"
                            .formatted(at.topic(), partition, offset, before.next()));
        }
    }

    /**
     * Offsets that are left out are no loss as long as the topic begins before them: a transaction's end takes one too.
     */
    private boolean has(String topic, int partition, long offset) {
        try {
            return kafka.find(topic).starts().getOrDefault(partition, 0L) <= offset;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka doesn't say where " + topic + " begins: " + e.getMessage(), e);
        }
    }

    /**
     * Begins where that is still to be done, or where the topic isn't what it was; tries until it is done or the
     * station stops.
     *
     * @throws IllegalStateException if the RIB has begun anew and the consumer may hold records, or have been told
     *     places, of before: it has to connect anew
     */
    private synchronized void begin(String name) {
        boolean midway = begun != null && !astray;
        while (true) {
            try {
                TopicState topic = kafka.find(name);
                TopicState before = begun;
                if (before == null
                        || astray
                        || !before.id().equals(topic.id())
                        || !late(topic).isEmpty()
                        || !kafka.truncated(name, topic, places).isEmpty()) {
                    load(name, topic.id());
                    if (midway) {
                        throw new IllegalStateException("the RIB begins anew, and its consumer with it");
                    }
                }
                return;
            } catch (SQLException | ExecutionException e) {
                LOGGER.warnf("The RIB can't begin: %s", e.getMessage());
            }
            try {
                if (stopped.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the station stops");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the station stops", e);
            }
        }
    }

    private void load(String name, UUID id) throws SQLException, ExecutionException {
        long started = System.nanoTime();
        begun = null; // until it is read anew it is not ready
        rib.clear();
        places.clear();
        try (Connection connection = database.getConnection()) {
            places.putAll(StateSnapshot.read(connection, LANE, id, this));
        }
        TopicState now = kafka.find(name); // asked for after the places
        stepBack(name, kafka.truncated(name, now, places));
        passOver(name, late(now));
        places.putAll(kafka.withTimestamps(name, places));
        begun = now;
        astray = false;
        LOGGER.infof(
                "The RIB begins with %d routes, read in %.1f s; %d records to go",
                rib.size(), (System.nanoTime() - started) / 1e9, behind().orElse(0));
    }

    /**
     * Should the broker have said too early an end, some records come twice: in their order, which leads to the same
     * state.
     */
    private void stepBack(String name, Map<Integer, Long> lost) {
        lost.forEach((partition, end) -> {
            LOGGER.warnf(
                    "%s-%d ended at %d, and the current state has it up to %d: Kafka has lost records",
                    name, partition, end, next(partition, 0));
            places.computeIfPresent(partition, (_, place) -> place.movedTo(end));
        });
    }

    /** Where a topic begins, of partitions that begin after the RIB's place. */
    private Map<Integer, Long> late(TopicState topic) {
        Map<Integer, Long> late = new HashMap<>(topic.starts());
        late.entrySet().removeIf(start -> start.getValue() <= next(start.getKey(), start.getValue()));
        return late;
    }

    /**
     * What is retained no longer isn't in the state that has been read either, if that hasn't come so far: there is no
     * more of it.
     */
    private void passOver(String name, Map<Integer, Long> late) {
        late.forEach((partition, start) -> {
            long place = next(partition, 0);
            LOGGER.warnf(
                    "%s-%d begins at %d, and the current state has it up to %d: %d records are in neither",
                    name, partition, start, place, start - place);
            gapRecords.add(start - place);
            places.put(partition, LanePlace.at(start));
        });
    }

    @Override
    public void batch(RouteBatch batch) {
        rib.apply(batch);
    }

    @Override
    public void heard(String router, PeerEntry peer, long session) {
        rib.observeSession(router, peer, session);
    }

    @PreDestroy
    void stop() {
        stopped.countDown();
        kafka.close();
    }
}
