package dev.silkroute.component.lane;

import java.util.Map;
import java.util.UUID;

/**
 * A topic as it is now.
 *
 * @param id distinguishes the topic from a deleted one of the same name
 * @param starts by partition, the offset of the first record that Kafka still has
 * @param ends by partition, the offset that the next record will have
 */
public record TopicState(UUID id, Map<Integer, Long> starts, Map<Integer, Long> ends) {}
