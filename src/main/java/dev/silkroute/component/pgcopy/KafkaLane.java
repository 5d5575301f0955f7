package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.LaneOffsets;
import dev.silkroute.postgres.LanePosition;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.camel.spi.StateRepository;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A camel-kafka consumer's side of a lane that keeps its offsets in PostgreSQL. As {@code offsetRepository} it says where to
 * begin when partitions are assigned; as {@code kafkaManualCommitFactory}, which camel-kafka asks for each record in the order
 * of the poll, it notes where each record lies and what was read right before it. Both happen on the consumer's thread.
 *
 * <p>Nothing here decides what is stored: records may come again, out of turn or from a consumer that has lost its
 * partitions. That is found out by comparing their positions with the table, in the transaction.
 */
public final class KafkaLane extends ServiceSupport
        implements KafkaManualCommitFactory, StateRepository<String, String> {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaLane.class);
    private static final long ONE_ASSIGNMENT = TimeUnit.SECONDS.toNanos(2);
    private static final long SOON = TimeUnit.SECONDS.toNanos(15);
    private static final int IN_VAIN = 3;
    private static final long LONGEST_PAUSE_MILLIS = 5000;

    private final LaneOffsets offsets;
    private final DataSource database;
    private final KafkaTopics topics;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Reader> readers = ThreadLocal.withInitial(Reader::new);

    /**
     * @param database where {@code table} is
     * @param kafka settings of a Kafka admin client
     */
    public KafkaLane(String lane, DataSource database, String table, Map<String, Object> kafka) {
        this.database = database;
        offsets = new LaneOffsets(lane, table);
        topics = new KafkaTopics(kafka);
    }

    /** What one consumer, which has a thread to itself, has read. */
    private static final class Reader {
        private final Map<TopicPartition, Place> places = new HashMap<>();
        private @Nullable Start start;
        /** Assignments since something was stored. */
        private int inVain;
    }

    /** Where a reader stands in a partition. */
    private static final class Place {
        private final UUID topicId;
        private long next;

        private Place(UUID topicId, long next) {
            this.topicId = topicId;
            this.next = next;
        }
    }

    /**
     * Where to begin in a topic, as asked for once for all partitions of an assignment.
     *
     * @param told the partitions that were begun by it: who asks for one of them again asks for another assignment
     */
    private record Start(String topic, UUID topicId, Map<Integer, Long> next, long askedAt, Set<Integer> told) {}

    @Override
    public @Nullable String getState(String key) {
        int slash = key.lastIndexOf('/');
        TopicPartition partition =
                new TopicPartition(key.substring(0, slash), Integer.parseInt(key.substring(slash + 1)));
        asked.add(partition.topic());
        Reader reader = readers.get();
        Start start = start(reader, partition);
        start.told.add(partition.partition());
        Long next = start.next.get(partition.partition());
        reader.places.put(partition, new Place(start.topicId, next == null ? LanePosition.UNKNOWN : next));
        return next == null ? null : Long.toString(next - 1); // the consumer goes to the one after it
    }

    /** An answer may not outlive its assignment: by the next one the topic may be another. */
    private Start start(Reader reader, TopicPartition partition) {
        Start start = reader.start;
        long now = System.nanoTime();
        if (start == null
                || !start.topic.equals(partition.topic())
                || start.told.contains(partition.partition())
                || now - start.askedAt > ONE_ASSIGNMENT) {
            boolean soon = start != null && now - start.askedAt < SOON;
            pauseIfInVain(reader, soon);
            start = ask(partition.topic());
            reader.start = start;
        }
        return start;
    }

    /** A consumer that is refused connects anew at once: should that not help, it may not do so all the time. */
    private static void pauseIfInVain(Reader reader, boolean soon) {
        reader.inVain = soon ? reader.inVain + 1 : 0;
        if (reader.inVain >= IN_VAIN) {
            try {
                TimeUnit.MILLISECONDS.sleep(
                        Math.min(LONGEST_PAUSE_MILLIS, 250L << Math.min(10, reader.inVain - IN_VAIN)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Never fails: without an answer the consumer begins where Kafka thinks, and what is stored already is dropped. */
    private Start ask(String topic) {
        UUID id = LanePosition.UNKNOWN_TOPIC;
        Map<Integer, Long> next = Map.of();
        try {
            KafkaTopics.Topic found = topics.find(topic);
            id = found.id();
            next = places(topic, found);
            if (!LostRecords.behind(found, id, next).isEmpty()) {
                stepBack(topic, id, next);
            }
        } catch (ExecutionException | SQLException e) {
            LOGGER.warn("Lane {} could not find its place in {}: {}", offsets.lane(), topic, e.getMessage());
        }
        return new Start(topic, id, next, System.nanoTime(), new HashSet<>());
    }

    private Map<Integer, Long> places(String topic, KafkaTopics.Topic found) throws SQLException {
        return new HashMap<>(
                offsets.next(database, topic, found.id(), found.ends().size()));
    }

    private void stepBack(String topic, UUID id, Map<Integer, Long> next) throws ExecutionException, SQLException {
        for (Map.Entry<Integer, Long> end :
                LostRecords.find(id, next, () -> topics.find(topic)).entrySet()) {
            LOGGER.warn(
                    "{}-{} ends at {}, and lane {} has stored it up to {}: Kafka has lost records",
                    topic,
                    end.getKey(),
                    end.getValue(),
                    offsets.lane(),
                    next.get(end.getKey()));
            offsets.stepBack(database, id, end.getKey(), end.getValue());
            next.put(end.getKey(), end.getValue());
        }
    }

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload polled, CommitManager commitManager) {
        TopicPartition partition = polled.partition;
        Place place = readers.get()
                .places
                .computeIfAbsent(partition, p -> new Place(LanePosition.UNKNOWN_TOPIC, LanePosition.UNKNOWN));
        long follows = place.next;
        if (polled.recordOffset < follows) {
            follows = LanePosition.WENT_BACK;
        } else {
            place.next = polled.recordOffset + 1;
        }
        return new KafkaPosition(
                new LanePosition(partition.topic(), place.topicId, partition.partition(), polled.recordOffset, follows),
                payload.consumer,
                this);
    }

    public String name() {
        return offsets.lane();
    }

    /**
     * How many records are not stored yet, of each partition of the topics that were read here and that the lane has a place
     * in. Asks Kafka and the database.
     */
    public Map<TopicPartition, Long> lag() throws SQLException, ExecutionException {
        Map<TopicPartition, Long> lag = new HashMap<>();
        for (String topic : asked) {
            KafkaTopics.Topic found = topics.find(topic);
            offsets.next(database, topic, found.id(), found.ends().size())
                    .forEach((partition, next) -> lag.put(
                            new TopicPartition(topic, partition),
                            Math.max(0, found.ends().getOrDefault(partition, next) - next)));
        }
        return lag;
    }

    /** Something was stored. */
    void stored() {
        readers.get().inVain = 0;
    }

    /** The table is written with the records. */
    @Override
    public void setState(String key, String value) {}

    @Override
    protected void doStop() {
        topics.close();
    }
}
