package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LanePlace;
import dev.silkroute.postgres.lane.LanePosition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What Kafka knows of a topic and camel-kafka's consumer doesn't say. For all threads. */
public final class TopicInspector {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private @Nullable Admin admin;

    /** @param settings of a Kafka client: where the servers are and how to reach them */
    public TopicInspector(Map<String, Object> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * A topic as it is now.
     *
     * @param starts by partition, the offset of the first record that it still has
     * @param ends by partition, the offset that the next record will have
     */
    public record Topic(UUID id, Map<Integer, Long> starts, Map<Integer, Long> ends) {}

    /** @throws ExecutionException if Kafka doesn't answer, or has no such topic; the message says which */
    public Topic find(String name) throws ExecutionException {
        return answer(name, () -> {
            TopicDescription topic =
                    get(client().describeTopics(List.of(name)).allTopicNames()).get(name);
            if (topic == null) {
                throw new KafkaException("there is no such topic");
            }
            Map<Integer, Long> starts = offsets(topic, OffsetSpec.earliest());
            Map<Integer, Long> ends = offsets(topic, OffsetSpec.latest());
            UUID id = new UUID(
                    topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            return new Topic(id, starts, ends);
        });
    }

    private Map<Integer, Long> offsets(TopicDescription topic, OffsetSpec which)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        topic.partitions()
                .forEach(partition -> wanted.put(new TopicPartition(topic.name(), partition.partition()), which));
        Map<Integer, Long> offsets = new HashMap<>();
        get(client().listOffsets(wanted).all())
                .forEach((partition, offset) -> offsets.put(partition.partition(), offset.offset()));
        return offsets;
    }

    /**
     * What came in the place of records that are lost: a partition may have lost its end, as after a power failure, and have grown again since, also
     * beyond the place.
     *
     * @param places by partition
     * @return of those before which there is a record with a later timestamp than all that belong there: its offset
     * @throws ExecutionException if Kafka doesn't answer
     */
    public Map<Integer, Long> replaced(String name, Map<Integer, LanePlace> places) throws ExecutionException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        places.forEach((partition, place) -> {
            if (place.next() > 0 && place.newest() != LanePosition.NO_TIME) {
                wanted.put(new TopicPartition(name, partition), OffsetSpec.forTimestamp(place.newest() + 1));
            }
        });
        Map<Integer, Long> replaced = new HashMap<>();
        if (!wanted.isEmpty()) {
            answer(name, () -> get(client().listOffsets(wanted).all())).forEach((partition, first) -> {
                LanePlace place = places.get(partition.partition());
                if (place != null && first.offset() >= 0 && first.offset() < place.next()) {
                    replaced.put(partition.partition(), first.offset());
                }
            });
        }
        return replaced;
    }

    /**
     * Gives places of which no {@link LanePlace#newest} is known the latest timestamp of their partition: no record before them has a later one.
     *
     * @param places by partition
     * @return all of them
     * @throws ExecutionException if Kafka doesn't answer
     */
    public Map<Integer, LanePlace> dated(String name, Map<Integer, LanePlace> places) throws ExecutionException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        places.forEach((partition, place) -> {
            if (place.newest() == LanePosition.NO_TIME) {
                wanted.put(new TopicPartition(name, partition), OffsetSpec.maxTimestamp());
            }
        });
        Map<Integer, LanePlace> dated = new HashMap<>(places);
        if (!wanted.isEmpty()) {
            answer(name, () -> get(client().listOffsets(wanted).all()))
                    .forEach((partition, last) -> dated.computeIfPresent(
                            partition.partition(), (_, place) -> new LanePlace(place.next(), last.timestamp())));
        }
        return dated;
    }

    /** A question to Kafka. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws ExecutionException, TimeoutException, InterruptedException;
    }

    private static <T> T answer(String name, Question<T> question) throws ExecutionException {
        try {
            return question.ask();
        } catch (ExecutionException e) {
            throw new ExecutionException("Kafka says of " + name + ": " + e.getCause(), e);
        } catch (TimeoutException | KafkaException e) {
            throw new ExecutionException("Kafka does not answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException("there is no time to ask Kafka", e);
        }
    }

    private synchronized Admin client() {
        if (admin == null) {
            Map<String, Object> all = new HashMap<>(settings);
            all.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, "pgcopy-admin");
            all.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis());
            all.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis());
            admin = Admin.create(all);
        }
        return admin;
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets its connections go; it may be used again. */
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
            admin = null;
        }
    }
}
