package dev.silkroute.component.pgcopy;

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

/** What Kafka knows of a topic and a consumer doesn't say. For all threads. */
final class KafkaTopics {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private @Nullable Admin admin;

    KafkaTopics(Map<String, Object> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * A topic as it is now.
     *
     * @param ends by partition, the offset that the next record will have
     */
    record Topic(UUID id, Map<Integer, Long> ends) {}

    /** @throws ExecutionException if Kafka doesn't answer, or has no such topic; the message says which */
    Topic find(String name) throws ExecutionException {
        try {
            TopicDescription topic =
                    get(client().describeTopics(List.of(name)).allTopicNames()).get(name);
            if (topic == null) {
                throw new KafkaException("there is no such topic");
            }
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            topic.partitions()
                    .forEach(partition ->
                            wanted.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest()));
            Map<Integer, Long> ends = new HashMap<>();
            get(client().listOffsets(wanted).all())
                    .forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
            UUID id = new UUID(
                    topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            return new Topic(id, ends);
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

    synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ofSeconds(1));
            admin = null;
        }
    }
}
