package dev.silkroute.app.live;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.component.lane.OffsetStore;
import dev.silkroute.component.lane.TopicInspector;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.camel.spi.Metadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps the offsets of the lane {@code live} in memory: it starts at the ends of the topics whenever the station
 * starts, and continues where it was when its consumer has reconnected. Thread-safe.
 */
@Singleton
@Named("liveFeed")
@Metadata(description = "The offsets of the live stream, in memory: option offsets of lane:")
@Unremovable
public final class LiveFeed implements OffsetStore {
    private final TopicInspector kafka;
    private final Map<TopicPartition, Long> next = new ConcurrentHashMap<>();

    LiveFeed(KafkaAccess access) {
        kafka = new TopicInspector(access.with(Map.of()));
    }

    /** Returns whether the lane has been assigned partitions of all topics: the stream has no gap from now on. */
    boolean isPositioned(Collection<String> topics) {
        return topics.stream()
                .allMatch(topic -> next.keySet().stream()
                        .anyMatch(partition -> partition.topic().equals(topic)));
    }

    @Override
    public OptionalLong nextOffset(TopicPartition partition) {
        if (!next.containsKey(partition)) {
            try {
                kafka.find(partition.topic())
                        .ends()
                        .forEach((number, end) -> next.putIfAbsent(new TopicPartition(partition.topic(), number), end));
            } catch (ExecutionException e) {
                throw new IllegalStateException("the end of " + partition + " is unknown: " + e.getMessage(), e);
            }
        }
        Long offset = next.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public void onRead(TopicPartition partition, long offset, long timestamp) {
        next.put(partition, offset + 1);
    }

    @PreDestroy
    void stop() {
        kafka.close();
    }
}
