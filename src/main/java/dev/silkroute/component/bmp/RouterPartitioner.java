package dev.silkroute.component.bmp;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;

/**
 * Assigns records to partitions by their keys like Kafka's own partitioner, but by the number of partitions that is
 * configured for their topic, or by the number that the topic had when this process first used it, if that is lower.
 *
 * <p>Partitions that are added later would otherwise move routers: in the middle of a session, so that consumers that
 * are behind would read the end of it before its beginning, or between two sessions, so that a consumer of the new
 * partition could read the later session before that of the old one has read all of the earlier one. Which session is
 * the newest is decided by the order of a router's records, which a topic keeps only within a partition.
 *
 * <p>All producers of a process share the numbers in use. Thread-safe.
 */
public final class RouterPartitioner implements Partitioner {
    /** The beginning of the producer setting with the number of partitions of a topic; its end is the topic's name. */
    public static final String PARTITIONS_OF = "silkroute.partitions.";

    private static final Map<String, Integer> IN_USE = new ConcurrentHashMap<>();

    private final Map<String, Integer> configured = new HashMap<>();

    /** Returns the settings of a producer with numbers of partitions, by the names of the topics. */
    public static Map<String, Object> settings(Map<String, Integer> partitions) {
        Map<String, Object> settings = new HashMap<>();
        partitions.forEach((topic, number) -> settings.put(PARTITIONS_OF + topic, number));
        return settings;
    }

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        int current = cluster.partitionCountForTopic(topic);
        if (keyBytes == null) {
            return ThreadLocalRandom.current().nextInt(current);
        }
        int most = Math.min(current, configured.getOrDefault(topic, current));
        // A topic with fewer partitions than before has been deleted and created again.
        int used = IN_USE.merge(topic, most, Math::min);
        return BuiltInPartitioner.partitionForKey(keyBytes, used);
    }

    @Override
    public void configure(Map<String, ?> settings) {
        settings.forEach((name, value) -> {
            if (name.startsWith(PARTITIONS_OF)) {
                configured.put(name.substring(PARTITIONS_OF.length()), Integer.valueOf(value.toString()));
            }
        });
    }

    @Override
    public void close() {
        // Later producers of this process use the same numbers.
    }
}
