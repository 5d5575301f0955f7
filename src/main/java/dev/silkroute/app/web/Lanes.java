package dev.silkroute.app.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
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

/** How far each topic of the station has come, and its readers with it. */
@Singleton
final class Lanes {
    private static final Logger LOGGER = Logger.getLogger(Lanes.class);
    private static final String TOPICS = "bmp.";
    private static final String READERS = "silkroute-";

    private static final String PLACES =
            "SELECT lane, topic, topic_id, kafka_partition, next_offset FROM bmp.lane_offset";

    private final KafkaAdmin kafka;
    private final DataSource database;

    /**
     * One topic.
     *
     * @param records records it has ever taken
     * @param waiting records that the slowest of its readers has yet to take; absent where nobody has read it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Lane(
            String topic,
            int partitions,
            long records,
            @Nullable Long waiting) {}

    @Inject
    Lanes(KafkaAdmin kafka, DataSource database) {
        this.kafka = kafka;
        this.database = database;
    }

    /** Asks Kafka, which takes some milliseconds. */
    List<Lane> read() throws ExecutionException, TimeoutException, InterruptedException {
        var admin = kafka.client();
        var topics = topics(admin);
        var ends = ends(admin, topics);
        var waiting = new HashMap<String, Long>();
        for (var places : places(admin, topics)) {
            waiting(places, ends).forEach((topic, records) -> waiting.merge(topic, records, Math::max));
        }
        var records = new TreeMap<String, Long>();
        var partitions = new HashMap<String, Integer>();
        ends.forEach((partition, end) -> {
            records.merge(partition.topic(), end, Long::sum);
            partitions.merge(partition.topic(), 1, Integer::sum);
        });
        var lanes = new ArrayList<Lane>();
        records.forEach((topic, count) ->
                lanes.add(new Lane(topic, partitions.getOrDefault(topic, 0), count, waiting.get(topic))));
        return lanes;
    }

    private static Map<String, TopicDescription> topics(Admin admin)
            throws ExecutionException, TimeoutException, InterruptedException {
        var names = get(admin.listTopics().names()).stream()
                .filter(name -> name.startsWith(TOPICS))
                .toList();
        return get(admin.describeTopics(names).allTopicNames());
    }

    private static Map<TopicPartition, Long> ends(Admin admin, Map<String, TopicDescription> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        var wanted = new HashMap<TopicPartition, OffsetSpec>();
        topics.forEach((topic, description) -> description
                .partitions()
                .forEach(partition ->
                        wanted.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest())));
        var ends = new HashMap<TopicPartition, Long>();
        get(admin.listOffsets(wanted).all()).forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /**
     * Where each of the station's consumer groups stands: a lane by its own account, which is right at any moment, others as
     * they have told Kafka.
     */
    private Collection<Map<TopicPartition, Long>> places(Admin admin, Map<String, TopicDescription> topics)
            throws ExecutionException, TimeoutException, InterruptedException {
        var groups = new HashMap<String, ListConsumerGroupOffsetsSpec>();
        for (GroupListing group :
                get(admin.listGroups(ListGroupsOptions.forConsumerGroups()).all())) {
            if (group.groupId().startsWith(READERS)) {
                groups.put(group.groupId(), new ListConsumerGroupOffsetsSpec());
            }
        }
        var places = new HashMap<String, Map<TopicPartition, Long>>();
        if (!groups.isEmpty()) {
            get(admin.listConsumerGroupOffsets(groups).all()).forEach((group, offsets) -> {
                var place = new HashMap<TopicPartition, Long>();
                offsets.forEach((partition, offset) -> place.put(partition, offset == null ? 0 : offset.offset()));
                places.put(group, place);
            });
        }
        lanePlaces(topics)
                .forEach((lane, place) -> places.computeIfAbsent(READERS + lane, group -> new HashMap<>())
                        .putAll(place));
        return places.values();
    }

    /** Empty while the database is away. */
    private Map<String, Map<TopicPartition, Long>> lanePlaces(Map<String, TopicDescription> topics) {
        var places = new HashMap<String, Map<TopicPartition, Long>>();
        try (var connection = database.getConnection();
                var rows = connection.createStatement().executeQuery(PLACES)) {
            while (rows.next()) {
                var topic = topics.get(rows.getString("topic"));
                if (topic != null && id(topic).equals(rows.getObject("topic_id", UUID.class))) {
                    places.computeIfAbsent(rows.getString("lane"), lane -> new HashMap<>())
                            .put(
                                    new TopicPartition(topic.name(), rows.getInt("kafka_partition")),
                                    rows.getLong("next_offset"));
                }
            }
        } catch (SQLException e) {
            LOGGER.debugf("Where the lanes stand is not known: %s", e.getMessage());
        }
        return places;
    }

    private static UUID id(TopicDescription topic) {
        return new UUID(
                topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
    }

    /** By topic, what lies between a group's place and the end; a partition it has no place in is all before it. */
    private static Map<String, Long> waiting(Map<TopicPartition, Long> place, Map<TopicPartition, Long> ends) {
        var topics =
                place.keySet().stream().map(TopicPartition::topic).distinct().toList();
        var waiting = new HashMap<String, Long>();
        ends.forEach((partition, end) -> {
            if (topics.contains(partition.topic())) {
                waiting.merge(partition.topic(), Math.max(0, end - place.getOrDefault(partition, 0L)), Long::sum);
            }
        });
        return waiting;
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(KafkaAdmin.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
