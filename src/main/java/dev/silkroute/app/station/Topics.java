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
 * The topics of the station, made at start with stated partitions and retention, never by accident. One that exists is
 * left as it is; another number of partitions than the settings say is told, since it decides how far the station scales.
 *
 * <p>Settings, each for all topics ({@code silkroute.topic.partitions}) or one ({@code silkroute.topic.bmp.raw.partitions}):
 * {@code partitions}, {@code replication}, {@code retention}. Any other name below one topic is Kafka's own
 * ({@code silkroute.topic.bmp.raw.segment.bytes}). A packaged route that is off has no topic.
 */
final class Topics {
    static final String PREFIX = "silkroute.topic.";
    private static final Logger LOGGER = Logger.getLogger(Topics.class);
    private static final int PARTITIONS = 12;
    private static final int REPLICATION = 1;
    private static final long LIMIT_SECONDS = 30;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Kafka's name for how large a record, or a batch of them, may be. */
    private static final String SIZE = "max.message.bytes";

    private static final List<String> OWN_SETTINGS = List.of("partitions", "replication", "retention", SIZE);

    /** The topic in which all sessions and starts of collectors are told. */
    private static final String SESSIONS = "bmp.peers";

    /** Names and how long their records are kept by default. */
    private static final Map<String, Duration> RETENTION = Map.of(
            "bmp.raw",
            Duration.ofDays(7),
            "bmp.routes",
            Duration.ofDays(7),
            SESSIONS,
            Duration.ofDays(30),
            "bmp.stats",
            Duration.ofDays(7),
            "bmp.mirror",
            Duration.ofDays(7),
            "bmp.quarantine",
            Duration.ofDays(30));

    /** Topics of packaged routes that are off unless their setting switches them on. */
    private static final Map<String, String> OPTIONAL = Map.of(
            "bmp.routes.json", "silkroute.routes.json.enabled",
            "bmp.withdrawals.json", "silkroute.routes.withdrawals.enabled",
            "openbmp.bmp_raw", "silkroute.routes.openbmp.enabled",
            "flows", "silkroute.routes.flows.enabled",
            "flows.enriched", "silkroute.routes.flows.enabled");

    private Topics() {}

    static List<String> names(Settings settings) {
        var on = OPTIONAL.entrySet().stream()
                .filter(topic -> Boolean.parseBoolean(settings.find(topic.getValue())))
                .map(Map.Entry::getKey);
        return Stream.concat(RETENTION.keySet().stream(), on).sorted().toList();
    }

    static List<NewTopic> wanted(Settings settings) {
        return names(settings).stream().map(name -> wanted(name, settings)).toList();
    }

    static void create(Admin admin, Settings settings) throws InterruptedException {
        var made = new ArrayList<TopicPartition>();
        var there = new ArrayList<NewTopic>();
        for (var topic : wanted(settings)) {
            try {
                admin.createTopics(List.of(topic)).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
                for (int partition = 0; partition < topic.numPartitions(); partition++) {
                    made.add(new TopicPartition(topic.name(), partition));
                }
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new OperatorError(
                            "Kafka refused to make the topic " + topic.name() + ": " + OperatorError.reason(e), e);
                }
                compare(admin, topic);
                there.add(topic);
            } catch (TimeoutException e) {
                throw new OperatorError(
                        "Kafka did not make the topic " + topic.name() + " within " + LIMIT_SECONDS + " s", e);
            }
        }
        awaitPartitions(admin, made);
        compareSizes(admin, there);
    }

    /**
     * Kafka says that a topic is made before its servers have the partitions. A producer whose first batch comes before that, and the second one after, is told that
     * the first is out of order until it expires (KAFKA-15591). Who asks for the end of a partition is answered when it is there.
     */
    private static void awaitPartitions(Admin admin, List<TopicPartition> partitions) throws InterruptedException {
        try {
            answer(() -> ends(admin, partitions, OffsetSpec.latest()));
        } catch (ExecutionException | TimeoutException e) {
            throw new OperatorError(
                    "Kafka has made topics whose partitions don't answer: " + OperatorError.reason(e), e);
        }
    }

    private static KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ends(
            Admin admin, List<TopicPartition> partitions, OffsetSpec which) {
        return admin.listOffsets(partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> which)))
                .all();
    }

    /** Asks again while the server that is asked doesn't know yet of a topic that has just been made. */
    private static <T> T answer(Supplier<KafkaFuture<T>> question)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            try {
                return question.get().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /**
     * The latest timestamp that a record of sessions has, milliseconds since 1970, below 0 if there is none. All sessions that anybody can have heard of
     * began before it, by the clocks that they had.
     */
    static long newestSession(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        var partitions = answer(() -> admin.describeTopics(List.of(SESSIONS)).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition -> new TopicPartition(SESSIONS, partition.partition()))
                .toList();
        return answer(() -> ends(admin, partitions, OffsetSpec.maxTimestamp())).values().stream()
                .mapToLong(ListOffsetsResultInfo::timestamp)
                .max()
                .orElse(-1);
    }

    private static NewTopic wanted(String name, Settings settings) {
        var own = PREFIX + name + ".";
        int partitions = settings.integer(own + "partitions", settings.integer(PREFIX + "partitions", PARTITIONS));
        int replication = settings.integer(own + "replication", settings.integer(PREFIX + "replication", REPLICATION));
        var retention = settings.duration(
                own + "retention",
                settings.duration(PREFIX + "retention", RETENTION.getOrDefault(name, Duration.ofDays(7))));
        if (partitions < 1 || replication < 1 || replication > Short.MAX_VALUE) {
            throw new OperatorError("the topic " + name + " needs at least one partition and one replica: " + own
                    + "partitions, " + own + "replication");
        }
        var configs = new TreeMap<String, String>();
        configs.put("retention.ms", Long.toString(retention.toMillis()));
        configs.put(SIZE, Integer.toString(settings.integer(own + SIZE, EmbeddedKafka.MESSAGE_BYTES)));
        settings.below(own).forEach((key, value) -> {
            if (!OWN_SETTINGS.contains(key)) {
                configs.put(key, value);
            }
        });
        return new NewTopic(name, partitions, (short) replication).configs(configs);
    }

    private static void compare(Admin admin, NewTopic topic) throws InterruptedException {
        try {
            var found =
                    admin.describeTopics(List.of(topic.name())).allTopicNames().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            int partitions = found.values().iterator().next().partitions().size();
            if (partitions != topic.numPartitions()) {
                LOGGER.warnf(
                        "Topic %s has %d partitions, the settings say %d: it is left as it is",
                        topic.name(), partitions, topic.numPartitions());
            }
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.warnf("Topic %s exists but can't be described: %s", topic.name(), OperatorError.reason(e));
        }
    }

    /** A record that its topic doesn't take holds up its session, and with it the router. */
    private static void compareSizes(Admin admin, List<NewTopic> topics) throws InterruptedException {
        var resources = topics.stream()
                .collect(Collectors.toMap(
                        topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic.name()), topic -> topic));
        try {
            var found = admin.describeConfigs(resources.keySet()).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            resources.forEach((resource, topic) -> {
                var config = found.get(resource);
                compareSize(
                        topic.name(),
                        config == null ? null : config.get(SIZE),
                        topic.configs().get(SIZE));
            });
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.infof("Kafka doesn't say how large records of topics may be: %s", OperatorError.reason(e));
        }
    }

    private static void compareSize(String topic, @Nullable ConfigEntry found, @Nullable String wanted) {
        if (found != null && wanted != null && Integer.parseInt(found.value()) < Integer.parseInt(wanted)) {
            LOGGER.warnf(
                    "Topic %s takes records of at most %s bytes (%s), the settings say %s: it is left as it is, and what is larger is sent again and again",
                    topic, found.value(), SIZE, wanted);
        }
    }
}
