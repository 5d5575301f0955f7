package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * The station's topics, created at start with explicit partitions and retention. An existing topic is left unchanged; a
 * number of partitions other than configured is logged, because it limits how far the station scales.
 *
 * <p>Settings apply to all topics ({@code silkroute.topic.partitions}) or to one ({@code
 * silkroute.topic.bmp.raw.partitions}): {@code partitions}, {@code replication}, {@code retention}. Any other name
 * below a topic is a topic setting of Kafka ({@code silkroute.topic.bmp.raw.segment.bytes}). The topics of packaged
 * routes that are disabled are not created.
 */
final class StationTopics {
    static final String PREFIX = "silkroute.topic.";
    private static final Logger LOGGER = Logger.getLogger(StationTopics.class);
    private static final int PARTITIONS = 12;
    private static final int REPLICATION = 1;
    private static final Duration DEFAULT_RETENTION = Duration.ofDays(7);
    /** Bytes of a partition. */
    private static final long DEFAULT_RETENTION_BYTES = 10L << 30;

    private static final String RETENTION_BYTES = "retention.bytes";
    private static final long TIMEOUT_SECONDS = 30;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Kafka's setting for the size of the largest record batch. */
    private static final String MAX_MESSAGE_BYTES = "max.message.bytes";

    private static final List<String> OWN_SETTINGS =
            List.of("partitions", "replication", "retention", MAX_MESSAGE_BYTES);

    /** The topic that contains the beginnings of all sessions and collectors. */
    private static final String SESSIONS = "bmp.peers";

    /** The topics that always exist, with their default retention. */
    private static final Map<String, Duration> RETENTION = Map.of(
            "bmp.raw",
            DEFAULT_RETENTION,
            "bmp.routes",
            DEFAULT_RETENTION,
            SESSIONS,
            Duration.ofDays(30),
            "bmp.stats",
            DEFAULT_RETENTION,
            "bmp.mirror",
            DEFAULT_RETENTION,
            "bmp.quarantine",
            Duration.ofDays(30));

    /** The topics of packaged routes that are disabled by default, with the setting that enables each. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "bmp.routes.json", "silkroute.routes.json.enabled",
            "bmp.withdrawals.json", "silkroute.routes.withdrawals.enabled",
            "openbmp.bmp_raw", "silkroute.routes.openbmp.enabled",
            "flows", "silkroute.routes.flows.enabled",
            "flows.enriched", "silkroute.routes.flows.enabled");

    private StationTopics() {}

    /** Returns the configured topics. */
    static List<NewTopic> configured(Settings settings) {
        var optional = OPTIONAL.entrySet().stream()
                .filter(topic -> Boolean.parseBoolean(settings.find(topic.getValue())))
                .map(Map.Entry::getKey);
        return Stream.concat(RETENTION.keySet().stream(), optional)
                .sorted()
                .map(name -> configured(name, settings))
                .toList();
    }

    private static NewTopic configured(String name, Settings settings) {
        var own = PREFIX + name + ".";
        int partitions = settings.integer(own + "partitions", settings.integer(PREFIX + "partitions", PARTITIONS));
        int replication = settings.integer(own + "replication", settings.integer(PREFIX + "replication", REPLICATION));
        var retention = settings.duration(
                own + "retention",
                settings.duration(PREFIX + "retention", RETENTION.getOrDefault(name, DEFAULT_RETENTION)));
        if (partitions < 1 || replication < 1 || replication > Short.MAX_VALUE) {
            throw new OperatorError("topic " + name + " requires at least one partition and one replica: " + own
                    + "partitions, " + own + "replication");
        }
        var configs = new TreeMap<String, String>();
        configs.put("retention.ms", Long.toString(retention.toMillis()));
        configs.put(
                RETENTION_BYTES, Long.toString(settings.bytes(PREFIX + "retention-bytes", DEFAULT_RETENTION_BYTES)));
        configs.put(
                MAX_MESSAGE_BYTES,
                Integer.toString(settings.integer(own + MAX_MESSAGE_BYTES, EmbeddedKafka.MAX_MESSAGE_BYTES)));
        settings.below(own).forEach((key, value) -> {
            if (!OWN_SETTINGS.contains(key)) {
                configs.put(key, value);
            }
        });
        return new NewTopic(name, partitions, (short) replication).configs(configs);
    }

    /** Creates the configured topics that do not exist, and logs where existing ones differ from the settings. */
    static void create(Admin admin, Settings settings) throws InterruptedException {
        var created = new ArrayList<TopicPartition>();
        var existing = new ArrayList<NewTopic>();
        for (var topic : configured(settings)) {
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
     * Returns the latest timestamp of a record in the topic of sessions, in milliseconds since 1970, negative if it is
     * empty. Every session recorded so far began before that time, by the clock of its collector.
     */
    static long newestSession(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        var partitions = retry(() -> admin.describeTopics(List.of(SESSIONS)).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition -> new TopicPartition(SESSIONS, partition.partition()))
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
            if (partitions != topic.numPartitions()) {
                LOGGER.warnf(
                        "Topic %s has %d partitions but %d are configured: it is left unchanged",
                        topic.name(), partitions, topic.numPartitions());
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
