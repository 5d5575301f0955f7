package dev.silkroute.app.collector;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.sessions.StoreShares;
import dev.silkroute.session.LaneName;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Informs the collector of what the packaged lanes have stored, in this process or another, so that it can slow down
 * floods: by the offsets that their consumer groups commit to Kafka. Looks at them only while enough is on the way.
 */
@Singleton
final class StoreProgress {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String GROUP_PREFIX = "silkroute-";
    private static final Map<String, LaneName> LANES = Map.of(
            "current", LaneName.ROUTES,
            "history", LaneName.ROUTES,
            "peers", LaneName.PEERS,
            "stats", LaneName.STATS,
            "mirror", LaneName.MIRROR,
            "quarantine", LaneName.QUARANTINE);

    private final KafkaAccess kafka;
    private final Map<LaneName, String> topics;
    private final StoreShares shares;
    private final LongSupplier nanos;
    private final PeriodicTask task =
            new PeriodicTask("the progress of the lanes", "silkroute-store-progress", this::look);
    private Map<LaneName, Integer> partitions = Map.of();
    /** The end offsets that were read first. */
    private Map<LaneName, long[]> first = Map.of();

    private volatile @Nullable Admin admin;

    @Inject
    StoreProgress(KafkaAccess kafka, StationConfig config, SessionRegistry sessions) {
        this(kafka, topics(config), sessions.shares(), System::nanoTime);
    }

    StoreProgress(KafkaAccess kafka, Map<LaneName, String> topics, StoreShares shares, LongSupplier nanos) {
        this.kafka = kafka;
        this.topics = topics;
        this.shares = shares;
        this.nanos = nanos;
    }

    private static Map<LaneName, String> topics(StationConfig config) {
        Map<LaneName, String> names = new EnumMap<>(LaneName.class);
        for (LaneName kind : LaneName.values()) {
            names.put(kind, StationTopic.valueOf(kind.name()).name(config));
        }
        return names;
    }

    void start(@Observes StartupEvent event, StationConfig config) {
        if (config.roles().has(Role.COLLECTOR)) {
            task.start(INTERVAL);
        }
    }

    void look() throws ExecutionException, TimeoutException, InterruptedException {
        if (!shares.isDue()) {
            return;
        }
        try {
            shares.mark(nanos.getAsLong());
            compare();
        } catch (ExecutionException | TimeoutException e) {
            shares.forget();
            close(); // a client that connects again may wait for the clock, if it was set back (ADR 43)
            throw e;
        }
    }

    private void compare() throws ExecutionException, TimeoutException, InterruptedException {
        Admin client = client();
        if (partitions.isEmpty()) {
            partitions = partitions(client);
        }
        Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
        LANES.keySet().forEach(lane -> groups.put(GROUP_PREFIX + lane, new ListConsumerGroupOffsetsSpec()));
        ListConsumerGroupOffsetsResult committed = client.listConsumerGroupOffsets(groups);
        Map<LaneName, long[]> ends = ends(client);
        if (first.isEmpty()) {
            first = ends;
        }
        for (Map.Entry<String, LaneName> lane : LANES.entrySet()) {
            LaneName kind = lane.getValue();
            shares.progress(
                    lane.getKey(),
                    kind,
                    Objects.requireNonNull(ends.get(kind)),
                    next(kind, get(committed.partitionsToOffsetAndMetadata(GROUP_PREFIX + lane.getKey()))),
                    nanos.getAsLong());
        }
    }

    private Map<LaneName, Integer> partitions(Admin client)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<String, TopicDescription> described =
                get(client.describeTopics(topics.values()).allTopicNames());
        Map<LaneName, Integer> found = new EnumMap<>(LaneName.class);
        for (LaneName kind : LaneName.values()) {
            found.put(
                    kind,
                    Objects.requireNonNull(described.get(topic(kind)))
                            .partitions()
                            .size());
        }
        return found;
    }

    private String topic(LaneName kind) {
        return Objects.requireNonNull(topics.get(kind));
    }

    private Map<LaneName, long[]> ends(Admin client) throws ExecutionException, TimeoutException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach((kind, count) -> {
            for (int partition = 0; partition < count; partition++) {
                latest.put(new TopicPartition(topic(kind), partition), OffsetSpec.latest());
            }
        });
        Map<TopicPartition, ListOffsetsResultInfo> found =
                get(client.listOffsets(latest).all());
        Map<LaneName, long[]> ends = new EnumMap<>(LaneName.class);
        partitions.forEach((kind, count) -> ends.put(kind, new long[count]));
        ends.forEach((kind, offsets) -> Arrays.setAll(
                offsets,
                partition -> Objects.requireNonNull(found.get(new TopicPartition(topic(kind), partition)))
                        .offset()));
        return ends;
    }

    /** A lane that has no offset in a partition reads it from the beginning, where the partition was empty at first. */
    private long[] next(LaneName kind, Map<TopicPartition, OffsetAndMetadata> committed) {
        long[] next = Objects.requireNonNull(first.get(kind)).clone();
        for (int partition = 0; partition < next.length; partition++) {
            OffsetAndMetadata known = committed.get(new TopicPartition(topic(kind), partition));
            next[partition] = known != null ? known.offset() : next[partition] == 0 ? 0 : Long.MAX_VALUE;
        }
        return next;
    }

    private Admin client() {
        Admin client = admin;
        if (client == null) {
            client = kafka.admin("silkroute-store-progress", TIMEOUT);
            admin = client;
        }
        return client;
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void stop() {
        task.close();
        close();
    }

    private void close() {
        Admin client = admin;
        if (client != null) {
            admin = null;
            client.close(Duration.ofSeconds(1));
        }
    }
}
