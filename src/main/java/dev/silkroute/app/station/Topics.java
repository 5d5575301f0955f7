package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jboss.logging.Logger;

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
    private static final List<String> OWN_SETTINGS = List.of("partitions", "replication", "retention");

    /** Names and how long their records are kept by default. */
    private static final Map<String, Duration> RETENTION = Map.of(
            "bmp.raw", Duration.ofDays(7),
            "bmp.routes", Duration.ofDays(7),
            "bmp.peers", Duration.ofDays(30),
            "bmp.stats", Duration.ofDays(7),
            "bmp.mirror", Duration.ofDays(7),
            "bmp.quarantine", Duration.ofDays(30));

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
        for (var topic : wanted(settings)) {
            try {
                admin.createTopics(List.of(topic)).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new OperatorError(
                            "Kafka refused to make the topic " + topic.name() + ": " + OperatorError.reason(e), e);
                }
                compare(admin, topic);
            } catch (TimeoutException e) {
                throw new OperatorError(
                        "Kafka did not make the topic " + topic.name() + " within " + LIMIT_SECONDS + " s", e);
            }
        }
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
        configs.put("max.message.bytes", Integer.toString(EmbeddedKafka.MESSAGE_BYTES));
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
}
