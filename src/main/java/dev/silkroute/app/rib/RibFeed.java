package dev.silkroute.app.rib;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.component.rib.RibPlaces;
import dev.silkroute.postgres.StateSnapshot;
import dev.silkroute.rib.Rib;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.spi.StateRepository;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where the RIB begins and stands: with the current state in PostgreSQL, and with {@code bmp.routes} from the place on up to which that has heard. So
 * every instance comes to the same state, whenever it starts. The consumer of {@code rib.yaml} asks here where to read on; the first
 * time it waits until the state is read.
 */
@Singleton
@Named("ribFeed")
@Unremovable
public final class RibFeed implements StateRepository<String, String>, RibPlaces, StateSnapshot.Listener {
    private static final Logger LOGGER = Logger.getLogger(RibFeed.class);
    private static final String LANE = "current";
    private static final int LIMIT_MILLIS = 5000;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Rib rib;
    private final DataSource database;
    private final Map<String, Object> kafka;
    private volatile CountDownLatch stopped = new CountDownLatch(1);
    private final Map<Integer, Long> next = new ConcurrentHashMap<>();

    /** What the topic held when the state had been read: the RIB is ready when it has applied that. */
    private volatile @Nullable Topic begun;

    RibFeed(Rib rib, DataSource database, KafkaAccess access) {
        this.rib = rib;
        this.database = database;
        kafka = access.with(Map.of(
                AdminClientConfig.CLIENT_ID_CONFIG, "silkroute-rib",
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LIMIT_MILLIS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LIMIT_MILLIS));
    }

    /**
     * A topic as it was.
     *
     * @param starts by partition, the offset of the first record that it still has
     * @param ends by partition, the offset that the next record will have
     */
    private record Topic(UUID id, Map<Integer, Long> starts, Map<Integer, Long> ends) {}

    /** Records that are to be applied before the RIB is as far as the topic was when it began; empty before it begins. */
    public OptionalLong behind() {
        Topic topic = begun;
        if (topic == null) {
            return OptionalLong.empty();
        }
        long records = 0;
        for (Map.Entry<Integer, Long> end : topic.ends.entrySet()) {
            long from = topic.starts.getOrDefault(end.getKey(), 0L);
            records += Math.max(0, end.getValue() - Math.max(from, next.getOrDefault(end.getKey(), from)));
        }
        return OptionalLong.of(records);
    }

    /** Whether it has come as far as the topic was when it began; {@link #behind} counts no later records. */
    @Override
    public boolean ready() {
        OptionalLong records = behind();
        return records.isPresent() && records.getAsLong() == 0;
    }

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        return offset >= next.getOrDefault(partition, 0L);
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        next.put(partition, offset + 1);
    }

    /** @param key topic and partition, as camel-kafka writes them; the answer is the last offset that was applied */
    @Override
    public @Nullable String getState(String key) {
        int slash = key.lastIndexOf('/');
        begin(key.substring(0, slash));
        Long place = next.get(Integer.parseInt(key.substring(slash + 1)));
        return place == null ? null : Long.toString(place - 1);
    }

    @Override
    public void setState(String key, String value) {
        // applied() has said so already
    }

    /** Begins where that is still to be done, or where the topic is another one than it was; tries until it is done or the station stops. */
    private synchronized void begin(String name) {
        while (true) {
            try {
                Topic topic = find(name);
                Topic before = begun;
                if (before == null || !before.id.equals(topic.id)) {
                    load(name, topic);
                }
                return;
            } catch (SQLException | ExecutionException | KafkaException e) {
                LOGGER.warnf("The RIB can't begin: %s", e.getMessage());
            }
            try {
                if (stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("the station stops");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the station stops", e);
            }
        }
    }

    private void load(String name, Topic topic) throws SQLException, ExecutionException {
        long started = System.nanoTime();
        begun = null; // until it is read anew it is not ready
        rib.clear();
        next.clear();
        try (Connection connection = database.getConnection()) {
            next.putAll(StateSnapshot.read(connection, LANE, topic.id, this));
        }
        begun = find(name);
        LOGGER.infof(
                "The RIB begins with %d routes, read in %.1f s; %d records to go",
                rib.size(), (System.nanoTime() - started) / 1e9, behind().orElse(0));
    }

    @Override
    public void batch(RouteBatch batch) {
        rib.apply(batch);
    }

    @Override
    public void heard(String router, PeerEntry peer, long session) {
        rib.heard(router, peer, session);
    }

    private Topic find(String name) throws ExecutionException {
        try (Admin admin = Admin.create(kafka)) {
            TopicDescription topic =
                    admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
            if (topic == null) {
                throw new KafkaException("there is no topic " + name);
            }
            Map<Integer, Long> starts = offsets(admin, topic, OffsetSpec.earliest());
            Map<Integer, Long> ends = offsets(admin, topic, OffsetSpec.latest());
            UUID id = new UUID(
                    topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            return new Topic(id, starts, ends);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the station stops", e);
        }
    }

    private static Map<Integer, Long> offsets(Admin admin, TopicDescription topic, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        topic.partitions().forEach(p -> wanted.put(new TopicPartition(topic.name(), p.partition()), which));
        Map<Integer, Long> offsets = new HashMap<>();
        admin.listOffsets(wanted).all().get().forEach((p, offset) -> offsets.put(p.partition(), offset.offset()));
        return offsets;
    }

    @Override
    public void start() {
        stopped = new CountDownLatch(1);
    }

    @Override
    @PreDestroy
    public void stop() {
        stopped.countDown();
    }
}
