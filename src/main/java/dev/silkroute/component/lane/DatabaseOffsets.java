package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LanePlace;
import dev.silkroute.postgres.lane.LanePosition;
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
import javax.sql.DataSource;
import org.apache.camel.component.kafka.KafkaConstants;
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
public final class DatabaseOffsets extends ServiceSupport
        implements KafkaManualCommitFactory, StateRepository<String, String> {
    private static final Logger LOGGER = LoggerFactory.getLogger(DatabaseOffsets.class);
    private static final long ONE_ASSIGNMENT = TimeUnit.SECONDS.toNanos(2);
    private static final long SOON = TimeUnit.SECONDS.toNanos(15);
    private static final int IN_VAIN = 3;
    private static final LanePlace NOWHERE = LanePlace.at(LanePosition.UNKNOWN);
    private static final long LONGEST_PAUSE_MILLIS = 5000;

    private final LaneOffsets offsets;
    private final DataSource database;
    private final TopicInspector topics;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Reader> readers = ThreadLocal.withInitial(Reader::new);

    /**
     * @param database where {@code table} is
     * @param kafka settings of a Kafka admin client
     */
    public DatabaseOffsets(String lane, DataSource database, String table, Map<String, Object> kafka) {
        this.database = database;
        offsets = new LaneOffsets(lane, table);
        topics = new TopicInspector(kafka);
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
        private LanePlace at;

        private Place(UUID topicId, LanePlace at) {
            this.topicId = topicId;
            this.at = at;
        }
    }

    /**
     * Where to begin in a topic, as asked for once for all partitions of an assignment.
     *
     * @param places by partition; {@link LanePosition#UNKNOWN} where the lane has none
     * @param told the partitions that were begun by it: who asks for one of them again asks for another assignment
     */
    private record Start(String topic, UUID topicId, Map<Integer, LanePlace> places, long askedAt, Set<Integer> told) {}

    @Override
    public @Nullable String getState(String key) {
        int slash = key.lastIndexOf('/');
        TopicPartition partition =
                new TopicPartition(key.substring(0, slash), Integer.parseInt(key.substring(slash + 1)));
        asked.add(partition.topic());
        Reader reader = readers.get();
        Start start = start(reader, partition);
        start.told.add(partition.partition());
        LanePlace at = start.places.getOrDefault(partition.partition(), NOWHERE);
        reader.places.put(partition, new Place(start.topicId, at));
        return at.next() == LanePosition.UNKNOWN
                ? null
                : Long.toString(at.next() - 1); // the consumer goes to the one after it
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

    /** Never fails: without an answer the consumer begins where Kafka thinks, and what it reads is refused, so that it asks again. */
    private Start ask(String topic) {
        UUID id = LanePosition.UNKNOWN_TOPIC;
        Map<Integer, LanePlace> known = Map.of();
        try {
            TopicInspector.Topic found = topics.find(topic);
            Map<Integer, LanePlace> places = places(topic, found);
            stepBack(topic, found, places);
            found.ends().keySet().forEach(partition -> places.putIfAbsent(partition, NOWHERE));
            known = topics.dated(topic, places);
            id = found.id();
        } catch (ExecutionException | SQLException e) {
            LOGGER.warn("Lane {} could not find its place in {}: {}", offsets.lane(), topic, e.getMessage());
        }
        return new Start(topic, id, known, System.nanoTime(), new HashSet<>());
    }

    private Map<Integer, LanePlace> places(String topic, TopicInspector.Topic found) throws SQLException {
        return offsets.places(database, topic, found.id(), found.ends().size());
    }

    /** Where Kafka has lost what is stored. What has come there since is asked for last, so that an end with nothing behind it is the end. */
    private void stepBack(String topic, TopicInspector.Topic found, Map<Integer, LanePlace> places)
            throws ExecutionException, SQLException {
        Map<Integer, Long> lost = new HashMap<>();
        if (!LogTruncation.behind(found, found.id(), places).isEmpty()) {
            lost.putAll(LogTruncation.find(found.id(), places, () -> topics.find(topic)));
        }
        lost.putAll(topics.replaced(topic, places));
        for (Map.Entry<Integer, Long> end : lost.entrySet()) {
            LanePlace from = Objects.requireNonNull(places.get(end.getKey()));
            LOGGER.warn(
                    "{}-{} ended at {}, and lane {} has stored it up to {}: Kafka has lost records",
                    topic,
                    end.getKey(),
                    end.getValue(),
                    offsets.lane(),
                    from.next());
            offsets.stepBack(database, found.id(), end.getKey(), from, end.getValue());
            places.put(end.getKey(), from.movedTo(end.getValue()));
        }
    }

    @Override
    public KafkaManualCommit newInstance(
            CamelExchangePayload payload, KafkaRecordPayload polled, CommitManager commitManager) {
        TopicPartition partition = polled.partition;
        Place place =
                readers.get().places.computeIfAbsent(partition, p -> new Place(LanePosition.UNKNOWN_TOPIC, NOWHERE));
        long follows = place.at.next();
        if (polled.recordOffset < follows) {
            follows = LanePosition.WENT_BACK;
        } else {
            place.at = place.at.behind(polled.recordOffset, timestamp(payload));
        }
        return new RecordPosition(
                new LanePosition(
                        partition.topic(),
                        place.topicId,
                        partition.partition(),
                        polled.recordOffset,
                        follows,
                        place.at.newest()),
                payload.consumer,
                this);
    }

    /** Of the record that an exchange is made of. */
    public static long timestamp(CamelExchangePayload payload) {
        return payload.exchange.getMessage().getHeader(KafkaConstants.TIMESTAMP, LanePosition.NO_TIME, Long.class);
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
            TopicInspector.Topic found = topics.find(topic);
            places(topic, found)
                    .forEach((partition, place) -> lag.put(
                            new TopicPartition(topic, partition),
                            Math.max(0, found.ends().getOrDefault(partition, place.next()) - place.next())));
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
