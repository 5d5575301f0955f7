package dev.silkroute.component.bmp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;

/**
 * Assigns records to partitions by their keys like Kafka's own partitioner, but by the number of partitions that their
 * topic had when this process first used it. Partitions that are added later would otherwise move routers in the middle
 * of a session, and consumers that are behind would read the end of it before its beginning. A process that starts
 * later uses all partitions, because its sessions are new ones, and sessions are ordered by their ids.
 *
 * <p>All producers of a process share the numbers. Thread-safe.
 */
public final class RouterPartitioner implements Partitioner {
    private static final Map<String, Integer> PARTITIONS = new ConcurrentHashMap<>();

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        int current = cluster.partitionCountForTopic(topic);
        if (keyBytes == null) {
            return ThreadLocalRandom.current().nextInt(current);
        }
        // A topic with fewer partitions than before has been deleted and created again.
        int used = PARTITIONS.merge(topic, current, Math::min);
        return BuiltInPartitioner.partitionForKey(keyBytes, used);
    }

    @Override
    public void configure(Map<String, ?> settings) {
        // There are none.
    }

    @Override
    public void close() {
        // Later producers of this process use the same numbers.
    }
}
