package dev.silkroute.component.lane;

import dev.silkroute.postgres.lane.LaneOffset;
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
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Asks Kafka for properties of a topic that a consumer does not report, through an admin client that is opened when
 * first needed, and again after a failure: a client whose connection was lost before the system clock was set back
 * would wait until the clock has caught up. Each method throws {@link ExecutionException} if Kafka is unavailable or
 * has no such topic; the message has the reason. Thread-safe.
 */
public final class TopicInspector {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private @Nullable Admin admin;

    /** @param settings of a Kafka client: the bootstrap servers, and security if they require it */
    public TopicInspector(Map<String, Object> settings) {
        this.settings = Map.copyOf(settings);
    }

    public TopicState find(String name) throws ExecutionException {
        return request(name, () -> {
            TopicDescription topic =
                    get(client().describeTopics(List.of(name)).allTopicNames()).get(name);
            if (topic == null) {
                throw new KafkaException("the topic does not exist");
            }
            UUID id = new UUID(
                    topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            return new TopicState(id, offsets(topic, OffsetSpec.earliest()), offsets(topic, OffsetSpec.latest()));
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
     * Finds the partitions that have lost records which were processed already, as after a power failure of a broker
     * (log truncation). Such a partition ends before {@link LaneOffset#next}; or it has grown again since, and has
     * before {@code next} a record with a later timestamp than all that were processed.
     *
     * @param state of the topic before {@code offsets} were read; where one ends early, Kafka is asked again
     * @param offsets by partition, how far the partition was processed
     * @return by partition, the offset of the first record that has an offset of a lost one
     */
    public Map<Integer, Long> truncated(String name, TopicState state, Map<Integer, LaneOffset> offsets)
            throws ExecutionException {
        Map<Integer, Long> truncated = new HashMap<>();
        if (!LogTruncation.endingEarly(state, state.id(), offsets).isEmpty()) {
            truncated.putAll(LogTruncation.confirm(state.id(), offsets, () -> find(name)));
        }
        // Queried last: records that arrive in between must not be taken for the old ones.
        truncated.putAll(replaced(name, offsets));
        return truncated;
    }

    private Map<Integer, Long> replaced(String name, Map<Integer, LaneOffset> offsets) throws ExecutionException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset.next() > 0 && offset.newest() != LanePosition.NO_TIME) {
                wanted.put(new TopicPartition(name, partition), OffsetSpec.forTimestamp(offset.newest() + 1));
            }
        });
        Map<Integer, Long> replaced = new HashMap<>();
        listOffsets(name, wanted).forEach((partition, first) -> {
            LaneOffset offset = offsets.get(partition.partition());
            if (offset != null && first.offset() >= 0 && first.offset() < offset.next()) {
                replaced.put(partition.partition(), first.offset());
            }
        });
        return replaced;
    }

    /**
     * Completes offsets that have no {@link LaneOffset#newest} with the latest timestamp of their partition: no record
     * before them has a later one.
     *
     * @param offsets by partition
     */
    public Map<Integer, LaneOffset> withTimestamps(String name, Map<Integer, LaneOffset> offsets)
            throws ExecutionException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset.newest() == LanePosition.NO_TIME) {
                wanted.put(new TopicPartition(name, partition), OffsetSpec.maxTimestamp());
            }
        });
        Map<Integer, LaneOffset> completed = new HashMap<>(offsets);
        listOffsets(name, wanted)
                .forEach((partition, last) -> completed.computeIfPresent(
                        partition.partition(), (_, offset) -> new LaneOffset(offset.next(), last.timestamp())));
        return completed;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> listOffsets(String name, Map<TopicPartition, OffsetSpec> wanted)
            throws ExecutionException {
        return wanted.isEmpty()
                ? Map.of()
                : request(name, () -> get(client().listOffsets(wanted).all()));
    }

    /** A request to Kafka. */
    @FunctionalInterface
    private interface Request<T> {
        T send() throws ExecutionException, TimeoutException, InterruptedException;
    }

    private <T> T request(String name, Request<T> request) throws ExecutionException {
        try {
            return request.send();
        } catch (ExecutionException e) {
            close();
            throw new ExecutionException("Kafka failed to describe topic " + name + ": " + e.getCause(), e);
        } catch (TimeoutException | KafkaException e) {
            close();
            throw new ExecutionException("Kafka is unavailable: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException("interrupted while waiting for Kafka", e);
        }
    }

    private synchronized Admin client() {
        if (admin == null) {
            Map<String, Object> all = new HashMap<>(settings);
            all.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, "lane-admin");
            all.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
            all.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
            admin = Admin.create(all);
        }
        return admin;
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes the connections. The next request opens them again. */
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
            admin = null;
        }
    }
}
