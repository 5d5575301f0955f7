package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LanePosition;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.camel.spi.StateRepository;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer's side of a lane with offsets in PostgreSQL. As camel-kafka's {@code offsetRepository} it reads from the
 * database where to start in each assigned partition. As its {@code kafkaManualCommitFactory}, which camel-kafka
 * calls for each record in order, it attaches to each record its position and the offset read before it. Both happen
 * on the consumer's thread.
 *
 * <p>Nothing here decides what is stored: a record may be read twice, out of order, or by a consumer that has lost its
 * partition. The transaction that stores the records finds that out by comparing their positions with the table.
 */
final class DatabaseOffsets extends ServiceSupport
        implements KafkaManualCommitFactory, StateRepository<String, String> {
    private static final Logger LOGGER = LoggerFactory.getLogger(DatabaseOffsets.class);
    /** All partitions of an assignment are asked for within this time. */
    private static final long ASSIGNMENT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /**
     * Lookups are repeated for this time while Kafka or the database is unavailable: well below the default maximum
     * poll interval, so that the consumer stays in its group.
     */
    private static final long LOOKUP_NANOS = TimeUnit.SECONDS.toNanos(90);
    /** An assignment that follows the one before it within this time counts as a reconnect. */
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** Reconnects without a stored batch in between, from which on they are delayed. */
    private static final int UNDELAYED_RECONNECTS = 3;

    private static final long FIRST_DELAY_MILLIS = 250;
    private static final long LONGEST_DELAY_MILLIS = 5000;
    private static final LaneOffset UNKNOWN = LaneOffset.at(LanePosition.UNKNOWN);

    private final LaneOffsets offsets;
    private final DataSource database;
    private final TopicInspector topics;
    private final Set<String> topicNames = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Reader> readers = ThreadLocal.withInitial(Reader::new);
    private volatile BooleanSupplier wanted = () -> true;

    /**
     * @param database holds {@code table}
     * @param kafka settings of a Kafka admin client
     */
    DatabaseOffsets(String lane, DataSource database, String table, Map<String, Object> kafka) {
        this.database = database;
        offsets = new LaneOffsets(lane, table);
        topics = new TopicInspector(kafka);
    }

    /** @param wanted false once the consumers are to stop, which they do without waiting for Kafka or the database */
    void lookUpWhile(BooleanSupplier wanted) {
        this.wanted = wanted;
    }

    /** The positions of one consumer, which has a thread to itself. */
    private static final class Reader {
        private final Map<TopicPartition, ReadPosition> positions = new HashMap<>();
        private @Nullable Start start;
        private int reconnects;
    }

    /** The position up to which a consumer has read a partition. */
    private static final class ReadPosition {
        private final UUID topicId;
        private final @Nullable ToIntFunction<String> partitionOf;
        private LaneOffset next;

        /** @param partitions of the topic; 0 if unknown */
        private ReadPosition(UUID topicId, int partitions, LaneOffset next) {
            this.topicId = topicId;
            this.next = next;
            partitionOf = partitions == 0
                    ? null
                    : key -> BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions);
        }
    }

    /**
     * The starting offsets of a topic's partitions, looked up once for an assignment.
     *
     * @param partitions by number; {@link #UNKNOWN} where the lane has no offset
     * @param starts by number, where partitions without an offset start: at the first record that Kafka has. What the
     *     consumer group has committed may be stored in a database that another one, such as a lagging standby or a
     *     restored backup, has replaced since
     * @param used the partitions that were started by it: if one of them is asked for again, that is another assignment
     */
    private record Start(
            String topic,
            UUID topicId,
            Map<Integer, LaneOffset> partitions,
            Map<Integer, Long> starts,
            long lookedUpAt,
            Set<Integer> used) {
        private Start(String topic, UUID topicId, Map<Integer, LaneOffset> partitions, Map<Integer, Long> starts) {
            this(topic, topicId, partitions, starts, System.nanoTime(), new HashSet<>());
        }
    }

    @Override
    public @Nullable String getState(String key) {
        TopicPartition partition = StoredOffsets.partition(key);
        topicNames.add(partition.topic());
        Reader reader = readers.get();
        Start start = startOf(reader, partition);
        start.used.add(partition.partition());
        LaneOffset next = start.partitions.getOrDefault(partition.partition(), UNKNOWN);
        reader.positions.put(partition, new ReadPosition(start.topicId, start.starts.size(), next));
        long from = next.next() == LanePosition.UNKNOWN
                ? start.starts.getOrDefault(partition.partition(), 0L)
                : next.next();
        return start.topicId.equals(LanePosition.UNKNOWN_TOPIC)
                ? null
                : Long.toString(from - 1); // camel-kafka seeks to the offset after it
    }

    /** A lookup is not reused for another assignment: by then the topic may have been deleted and created again. */
    private Start startOf(Reader reader, TopicPartition partition) {
        Start start = reader.start;
        long now = System.nanoTime();
        if (start == null
                || !start.topic.equals(partition.topic())
                || start.used.contains(partition.partition())
                || now - start.lookedUpAt > ASSIGNMENT_NANOS) {
            reader.reconnects = start != null && now - start.lookedUpAt < RECONNECT_NANOS ? reader.reconnects + 1 : 0;
            delayReconnect(reader.reconnects);
            start = lookUp(partition.topic());
            reader.start = start;
        }
        return start;
    }

    /** A consumer whose batch is rejected reconnects at once, without end if that does not help. */
    private static void delayReconnect(int reconnects) {
        int delays = reconnects - UNDELAYED_RECONNECTS;
        if (delays >= 0) {
            pause(Math.min(LONGEST_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(10, delays)));
        }
    }

    /**
     * Does not fail. If Kafka or the database stays unavailable, the consumer starts where its group has committed, and
     * storing what it reads is rejected, so that it reconnects and looks up again.
     */
    private Start lookUp(String topic) {
        long began = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                TopicState state = topics.find(topic);
                Map<Integer, LaneOffset> stored = stored(topic, state);
                stepBack(topic, state, stored);
                state.ends().keySet().forEach(partition -> stored.putIfAbsent(partition, UNKNOWN));
                return new Start(topic, state.id(), topics.withTimestamps(topic, stored), state.starts());
            } catch (ExecutionException | SQLException e) {
                if (attempt == 1) {
                    LOGGER.warn(
                            "Lane {}: the offsets in topic {} could not be looked up: {}",
                            offsets.lane(),
                            topic,
                            e.getMessage());
                }
            }
            if (System.nanoTime() - began > LOOKUP_NANOS || !wanted.getAsBoolean() || !pause(FIRST_DELAY_MILLIS)) {
                return new Start(topic, LanePosition.UNKNOWN_TOPIC, Map.of(), Map.of());
            }
        }
    }

    /** Returns false if interrupted. */
    private static boolean pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Map<Integer, LaneOffset> stored(String topic, TopicState state) throws SQLException {
        return offsets.read(database, topic, state.id(), state.ends().size());
    }

    /**
     * Moves offsets back where Kafka has lost stored records: the lane continues at the first record after the loss.
     */
    private void stepBack(String topic, TopicState state, Map<Integer, LaneOffset> stored)
            throws ExecutionException, SQLException {
        for (Map.Entry<Integer, Long> lost :
                topics.truncated(topic, state, stored).entrySet()) {
            LaneOffset from = Objects.requireNonNull(stored.get(lost.getKey()));
            LOGGER.warn(
                    "Lane {}: Kafka has lost records of {}-{} from offset {} on, which were stored up to {};"
                            + " the lane continues there",
                    offsets.lane(),
                    topic,
                    lost.getKey(),
                    lost.getValue(),
                    from.next());
            offsets.stepBack(database, state.id(), lost.getKey(), from, lost.getValue());
            stored.put(lost.getKey(), from.movedTo(lost.getValue()));
        }
    }

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload record, CommitManager commitManager) {
        TopicPartition partition = record.partition;
        ReadPosition read = readers.get()
                .positions
                .computeIfAbsent(partition, _ -> new ReadPosition(LanePosition.UNKNOWN_TOPIC, 0, UNKNOWN));
        long follows = read.next.next();
        if (record.recordOffset < follows) {
            follows = LanePosition.WENT_BACK;
        } else {
            read.next = read.next.after(record.recordOffset, StoredOffsets.timestamp(payload));
        }
        return new RecordPosition(
                new LanePosition(
                        partition.topic(),
                        read.topicId,
                        partition.partition(),
                        record.recordOffset,
                        follows,
                        read.next.newest(),
                        read.partitionOf),
                payload.consumer,
                this);
    }

    /**
     * The records that are not stored yet, of each partition of the topics read here that the lane has an offset in.
     * Asks Kafka and the database.
     */
    Map<TopicPartition, Long> lag() throws SQLException, ExecutionException {
        Map<TopicPartition, Long> lag = new HashMap<>();
        for (String topic : topicNames) {
            TopicState state = topics.find(topic);
            stored(topic, state)
                    .forEach((partition, at) -> lag.put(
                            new TopicPartition(topic, partition),
                            Math.max(0, state.ends().getOrDefault(partition, at.next()) - at.next())));
        }
        return lag;
    }

    /** Returns the progress in all partitions of a topic, whether or not this process reads them. */
    Map<TopicPartition, LaneProgress> progress(String topic) throws SQLException, ExecutionException {
        TopicState state = topics.find(topic);
        Map<Integer, LaneOffset> stored = stored(topic, state);
        Map<TopicPartition, LaneProgress> progress = new HashMap<>();
        state.ends().forEach((partition, end) -> {
            LaneOffset at = stored.get(partition);
            long next = at == null ? state.starts().getOrDefault(partition, end) : at.next();
            progress.put(new TopicPartition(topic, partition), new LaneProgress(next, end));
        });
        return progress;
    }

    /**
     * Makes the current thread's consumer look up its offsets again if the database has been restarted or replaced: a
     * standby that has taken over may lack rows of a lane that gets no more records.
     */
    void requireSameDatabase() {
        try {
            offsets.requireSameDatabase(database);
        } catch (SQLException e) {
            LOGGER.debug("Lane {}: the database is unavailable: {}", offsets.lane(), e.getMessage());
        }
    }

    /** Called when a batch of the current thread's consumer is stored. */
    void onStored() {
        readers.get().reconnects = 0;
    }

    @Override
    public void setState(String key, String value) {
        // The table is updated in the transaction that stores the records
    }

    @Override
    protected void doStop() {
        topics.close();
    }
}
