package dev.silkroute.app.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.silkroute.component.lane.LaneEndpoint;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.component.kafka.KafkaEndpoint;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reports how many records each topic of the station contains and how far its consumer groups lag behind. */
@Singleton
final class TopicProgress {
    private static final Logger LOGGER = Logger.getLogger(TopicProgress.class);
    private static final String SHARED_TOPICS = "bmp.";
    private static final String GROUP_PREFIX = "silkroute-";

    private static final String LANE_OFFSETS =
            "SELECT lane, topic, topic_id, kafka_partition, next_offset FROM bmp.lane_offset";

    private final KafkaAdmin kafka;
    private final DataSource database;
    private final CamelContext camel;

    /**
     * One topic.
     *
     * @param records records ever written to it: the sum of its end offsets
     * @param lag records that the slowest consumer group has not consumed yet; absent if none has consumed any
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Topic(
            String name,
            int partitions,
            long records,
            @Nullable Long lag) {}

    @Inject
    TopicProgress(KafkaAdmin kafka, DataSource database, CamelContext camel) {
        this.kafka = kafka;
        this.database = database;
        this.camel = camel;
    }

    /**
     * Returns the topics that this station's routes read or write, and those that all stations share. Requests the
     * offsets from Kafka and PostgreSQL, which takes some milliseconds.
     */
    List<Topic> read() throws ExecutionException, TimeoutException, InterruptedException {
        var admin = kafka.client();
        var topics = topics(admin);
        var ends = endOffsets(admin, topics);
        var lags = new HashMap<String, Long>();
        for (var offsets : groupOffsets(admin, topics)) {
            lag(offsets, ends).forEach((topic, lag) -> lags.merge(topic, lag, Math::max));
        }
        var records = new TreeMap<String, Long>();
        var partitions = new HashMap<String, Integer>();
        ends.forEach((partition, end) -> {
            records.merge(partition.topic(), end, Long::sum);
            partitions.merge(partition.topic(), 1, Integer::sum);
        });
        var progress = new ArrayList<Topic>();
        records.forEach((topic, count) ->
                progress.add(new Topic(topic, partitions.getOrDefault(topic, 0), count, lags.get(topic))));
        return progress;
    }

    private Map<String, TopicDescription> topics(Admin admin)
            throws ExecutionException, TimeoutException, InterruptedException {
        var used = topicsOfRoutes();
        var names = get(admin.listTopics().names()).stream()
                .filter(name -> name.startsWith(SHARED_TOPICS) || used.contains(name))
                .toList();
        return get(admin.describeTopics(names).allTopicNames());
    }

    private Set<String> topicsOfRoutes() {
        var topics = new HashSet<String>();
        for (var endpoint : camel.getEndpoints()) {
            if (endpoint instanceof LaneEndpoint lane) {
                topics.addAll(lane.getConfiguration().topics());
            } else if (endpoint instanceof KafkaEndpoint kafkaEndpoint) {
                topics.addAll(
                        List.of(kafkaEndpoint.getConfiguration().getTopic().split(",", -1)));
            }
        }
        return topics;
    }

    private static Map<TopicPartition, Long> endOffsets(Admin admin, Map<String, TopicDescription> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        topics.forEach((topic, description) -> description
                .partitions()
                .forEach(partition ->
                        latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest())));
        var ends = new HashMap<TopicPartition, Long>();
        get(admin.listOffsets(latest).all()).forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /**
     * Returns the offsets of each of the station's consumer groups. For a lane they are those that it commits to the
     * database with its rows, which are exact; for other groups those committed to Kafka.
     */
    private Collection<Map<TopicPartition, Long>> groupOffsets(Admin admin, Map<String, TopicDescription> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        var groups = new HashMap<String, ListConsumerGroupOffsetsSpec>();
        for (GroupListing group :
                get(admin.listGroups(ListGroupsOptions.forConsumerGroups()).all())) {
            if (group.groupId().startsWith(GROUP_PREFIX)) {
                groups.put(group.groupId(), new ListConsumerGroupOffsetsSpec());
            }
        }
        var byGroup = new HashMap<String, Map<TopicPartition, Long>>();
        if (!groups.isEmpty()) {
            get(admin.listConsumerGroupOffsets(groups).all()).forEach((group, committed) -> {
                var offsets = new HashMap<TopicPartition, Long>();
                committed.forEach((partition, offset) -> offsets.put(partition, offset == null ? 0 : offset.offset()));
                byGroup.put(group, offsets);
            });
        }
        laneOffsets(topics)
                .forEach((lane, offsets) -> byGroup.computeIfAbsent(GROUP_PREFIX + lane, _ -> new HashMap<>())
                        .putAll(offsets));
        return byGroup.values();
    }

    /** Returns the lanes' offsets by lane, none while the database is unavailable. */
    private Map<String, Map<TopicPartition, Long>> laneOffsets(Map<String, TopicDescription> topics) {
        var byLane = new HashMap<String, Map<TopicPartition, Long>>();
        try (var connection = database.getConnection();
                var rows = connection.createStatement().executeQuery(LANE_OFFSETS)) {
            while (rows.next()) {
                var topic = topics.get(rows.getString("topic"));
                // A topic that was deleted and created again has another id, and offsets that start over.
                if (topic != null && id(topic).equals(rows.getObject("topic_id", UUID.class))) {
                    byLane.computeIfAbsent(rows.getString("lane"), _ -> new HashMap<>())
                            .put(
                                    new TopicPartition(topic.name(), rows.getInt("kafka_partition")),
                                    rows.getLong("next_offset"));
                }
            }
        } catch (SQLException e) {
            LOGGER.debugf("Cannot read the offsets of the lanes: %s", e.getMessage());
        }
        return byLane;
    }

    private static UUID id(TopicDescription topic) {
        return new UUID(
                topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
    }

    /**
     * Returns a group's lag by topic. Of a topic that the group consumes, a partition without an offset counts from its
     * beginning.
     */
    private static Map<String, Long> lag(Map<TopicPartition, Long> offsets, Map<TopicPartition, Long> ends) {
        var topics =
                offsets.keySet().stream().map(TopicPartition::topic).distinct().toList();
        var lags = new HashMap<String, Long>();
        ends.forEach((partition, end) -> {
            if (topics.contains(partition.topic())) {
                lags.merge(partition.topic(), Math.max(0, end - offsets.getOrDefault(partition, 0L)), Long::sum);
            }
        });
        return lags;
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(KafkaAdmin.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
