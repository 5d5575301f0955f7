package dev.silkroute.component.lane;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumers of all lanes, which are replaced when the system clock has been set back. Kafka's consumer measures
 * time by this clock, but ignores a time before the last one that it has seen: until the clock has caught up, a poll
 * without records does not end, no heartbeat is sent, and the consumer tries to connect again without any delay. A new
 * consumer has seen no other time. Thread-safe.
 */
final class LaneConsumers {
    private static final Logger LOGGER = LoggerFactory.getLogger(LaneConsumers.class);

    private final Set<ByteBoundedConsumer<?, ?>> consumers = Collections.newSetFromMap(new WeakHashMap<>());

    /** @param consumer is forgotten when it is collected as garbage */
    synchronized void add(ByteBoundedConsumer<?, ?> consumer) {
        consumers.add(consumer);
    }

    void clockSetBack(Duration back) {
        LOGGER.warn(
                "The system clock has been set back by {} s: all lanes connect to Kafka again, because its clients"
                        + " measure time by this clock",
                back.toSeconds());
        all().forEach(ByteBoundedConsumer::clockSetBack);
    }

    private synchronized List<ByteBoundedConsumer<?, ?>> all() {
        return List.copyOf(consumers);
    }
}
