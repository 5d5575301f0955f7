package dev.silkroute.app.station;

import static java.util.Objects.requireNonNull;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationConfig.Topic;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The station's topics, created at start with explicit partitions and retention ({@code silkroute.topic.…}). An
 * existing topic is left unchanged; a number of partitions other than configured is logged, because it limits how far
 * the station scales, and so are topics that lose acknowledged records with one broker. The topics of packaged routes
 * that are disabled are not created.
 */
final class StationTopics {
    private static final Logger LOGGER = Logger.getLogger(StationTopics.class);
    private static final int REPLICATION = 3;

    /** Enough that one broker of three may fail, and that no acknowledged record is on one broker only. */
    private static final int MIN_IN_SYNC = 2;

    /** Long enough that a void claim is followed by the record that confirms the owner. */
    private static final Duration COMPACTION_LAG = Duration.ofHours(1);

    private static final long TIMEOUT_SECONDS = 30;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Kafka's setting for the size of the largest record batch. */
    private static final String MAX_MESSAGE_BYTES = "max.message.bytes";

    private static final String MIN_IN_SYNC_REPLICAS = "min.insync.replicas";

    private StationTopics() {}

    /** Returns the configured topics, for a cluster with a number of brokers. */
    static List<NewTopic> configured(StationConfig config, int brokers) {
        return Arrays.stream(StationTopic.values())
                .filter(topic -> topic.isUsed(config))
                .map(topic -> configured(topic, config, brokers))
                .toList();
    }

    private static NewTopic configured(StationTopic topic, StationConfig config, int brokers) {
        var all = config.topic();
        var own = Optional.ofNullable(all.each().get(topic));
        int partitions = topic.partitions(config);
        int replication = own.map(Topic::replication)
                .orElse(OptionalInt.empty())
                .orElse(all.replication().orElse(Math.min(REPLICATION, brokers)));
        var retention = own.flatMap(Topic::retention).or(all::retention).orElse(topic.defaultRetention());
        if (replication > Short.MAX_VALUE) {
            throw new UsageError("topic " + topic.name(config) + " cannot have " + replication + " replicas:"
                    + " silkroute.topic." + topic.key() + ".replication or silkroute.topic.replication");
        }
        var configs = new TreeMap<String, String>();
        if (topic.isCompacted()) {
            configs.put("cleanup.policy", "compact");
            configs.put("min.compaction.lag.ms", Long.toString(COMPACTION_LAG.toMillis()));
        } else {
            configs.put("retention.ms", Long.toString(retention.toMillis()));
            configs.put(
                    "retention.bytes",
                    Long.toString(own.flatMap(Topic::retentionBytes)
                            .orElse(all.retentionBytes())
                            .asLongValue()));
        }
        configs.put(MAX_MESSAGE_BYTES, Integer.toString(EmbeddedKafka.MAX_MESSAGE_BYTES));
        if (replication >= REPLICATION) {
            configs.put(MIN_IN_SYNC_REPLICAS, Integer.toString(MIN_IN_SYNC));
        }
        own.ifPresent(settings -> configs.putAll(settings.config()));
        return new NewTopic(topic.name(config), partitions, (short) replication).configs(configs);
    }

    /**
     * Creates the configured topics that do not exist, and logs where existing ones differ from the settings.
     *
     * @param brokers the number of brokers of the cluster
     */
    static void create(Admin admin, StationConfig config, int brokers) throws InterruptedException {
        var created = new ArrayList<TopicPartition>();
        var existing = new ArrayList<NewTopic>();
        for (var topic : configured(config, brokers)) {
            try {
                admin.createTopics(List.of(topic)).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                for (int partition = 0; partition < topic.numPartitions(); partition++) {
                    created.add(new TopicPartition(topic.name(), partition));
                }
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new OperatorError("cannot create topic " + topic.name() + ": " + OperatorError.reason(e), e);
                }
                comparePartitions(admin, topic);
                existing.add(topic);
            } catch (TimeoutException e) {
                throw new OperatorError(
                        "cannot create topic " + topic.name() + ": Kafka did not respond within " + TIMEOUT_SECONDS
                                + " s",
                        e);
            }
        }
        awaitPartitions(admin, created);
        compareSizes(admin, existing);
        if (config.kafkaBootstrap().isPresent()) {
            reportUnsafe(admin, configured(config, brokers));
        }
    }

    /** Logs in one line which topics lose acknowledged records, or accept no more, when one broker fails. */
    private static void reportUnsafe(Admin admin, List<NewTopic> topics) throws InterruptedException {
        var names = topics.stream().map(NewTopic::name).toList();
        try {
            var found = retry(() -> admin.describeTopics(names).allTopicNames());
            var resources = names.stream()
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            var unsafe = new TreeMap<String, List<String>>();
            admin.describeConfigs(resources)
                    .all()
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .forEach((resource, config) -> {
                        var topic = requireNonNull(found.get(resource.name()));
                        int replicas = topic.partitions().getFirst().replicas().size();
                        var inSync =
                                requireNonNull(config.get(MIN_IN_SYNC_REPLICAS)).value();
                        if (replicas < REPLICATION || Integer.parseInt(inSync) < MIN_IN_SYNC) {
                            unsafe.computeIfAbsent(
                                            "replicas " + replicas + ", " + MIN_IN_SYNC_REPLICAS + " " + inSync,
                                            _ -> new ArrayList<>())
                                    .add(topic.name());
                        }
                    });
            unsafe.values().forEach(Collections::sort);
            if (!unsafe.isEmpty()) {
                LOGGER.warnf(
                        "If one Kafka broker fails, acknowledged records can be lost or the station stops; %d replicas and"
                                + " %s of %d prevent that: %s",
                        REPLICATION,
                        MIN_IN_SYNC_REPLICAS,
                        MIN_IN_SYNC,
                        unsafe.entrySet().stream()
                                .map(topic -> String.join(", ", topic.getValue()) + " (" + topic.getKey() + ")")
                                .collect(Collectors.joining("; ")));
            }
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.infof("Cannot check the replicas of the topics: %s", OperatorError.reason(e));
        }
    }

    /**
     * Waits until Kafka's servers have the partitions of new topics. Kafka reports a topic as created before that. A
     * producer whose first batch arrives earlier and its second one later gets an out-of-order error for the first
     * until that expires (KAFKA-15591). A request for a partition's end offset succeeds once the partition exists.
     */
    private static void awaitPartitions(Admin admin, List<TopicPartition> partitions) throws InterruptedException {
        try {
            retry(() -> offsets(admin, partitions, OffsetSpec.latest()));
        } catch (ExecutionException | TimeoutException e) {
            throw new OperatorError("partitions of new Kafka topics are unavailable: " + OperatorError.reason(e), e);
        }
    }

    private static KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> offsets(
            Admin admin, List<TopicPartition> partitions, OffsetSpec which) {
        return admin.listOffsets(partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> which)))
                .all();
    }

    /** Repeats a request while it fails with a retriable error, such as a topic that a server does not know yet. */
    private static <T> T retry(Supplier<KafkaFuture<T>> request)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            try {
                return request.get().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /**
     * Returns the latest timestamp of a record in the topics of received messages and of sessions, in milliseconds
     * since 1970, negative if both are empty. Every session recorded so far began before that time, by the clock of its
     * collector.
     */
    static long newestSession(Admin admin, StationConfig config)
            throws InterruptedException, ExecutionException, TimeoutException {
        var sessions = List.of(StationTopic.RAW.name(config), StationTopic.PEERS.name(config));
        var partitions = retry(() -> admin.describeTopics(sessions).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                .toList();
        return retry(() -> offsets(admin, partitions, OffsetSpec.maxTimestamp())).values().stream()
                .mapToLong(ListOffsetsResultInfo::timestamp)
                .max()
                .orElse(-1);
    }

    private static void comparePartitions(Admin admin, NewTopic topic) throws InterruptedException {
        try {
            var found =
                    admin.describeTopics(List.of(topic.name())).allTopicNames().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            int partitions = found.values().iterator().next().partitions().size();
            if (partitions < topic.numPartitions()) {
                LOGGER.warnf(
                        "Topic %s has %d partitions but %d are configured: it is left unchanged",
                        topic.name(), partitions, topic.numPartitions());
            } else if (partitions > topic.numPartitions()) {
                LOGGER.warnf(
                        "Topic %s has %d partitions but %d are configured: only the first %d receive records of routers,"
                                + " so that no router moves to another partition",
                        topic.name(), partitions, topic.numPartitions(), topic.numPartitions());
            }
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.warnf(
                    "Cannot compare topic %s with its settings: Kafka does not describe it: %s",
                    topic.name(), OperatorError.reason(e));
        }
    }

    /** Compares the sizes of the largest records: a record that its topic rejects blocks its session and the router. */
    private static void compareSizes(Admin admin, List<NewTopic> topics) throws InterruptedException {
        var resources = topics.stream()
                .collect(Collectors.toMap(
                        topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic.name()), topic -> topic));
        try {
            var found = admin.describeConfigs(resources.keySet()).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            resources.forEach((resource, topic) -> {
                var config = found.get(resource);
                compareSize(
                        topic.name(),
                        config == null ? null : config.get(MAX_MESSAGE_BYTES),
                        topic.configs().get(MAX_MESSAGE_BYTES));
            });
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.infof(
                    "Cannot compare %s of the topics with the settings: %s",
                    MAX_MESSAGE_BYTES, OperatorError.reason(e));
        }
    }

    private static void compareSize(String topic, @Nullable ConfigEntry found, @Nullable String configured) {
        if (found != null && configured != null && Integer.parseInt(found.value()) < Integer.parseInt(configured)) {
            LOGGER.warnf(
                    "Topic %s accepts records of at most %s bytes (%s) but %s are configured: it is left unchanged, and"
                            + " larger records block their session",
                    topic, found.value(), MAX_MESSAGE_BYTES, configured);
        }
    }
}
