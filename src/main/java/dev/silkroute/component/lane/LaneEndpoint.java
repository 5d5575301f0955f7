package dev.silkroute.component.lane;

import dev.silkroute.component.Databases;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.component.kafka.KafkaConfiguration;
import org.apache.camel.component.kafka.KafkaEndpoint;
import org.apache.camel.component.kafka.PollOnError;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Kafka topic in batches of bounded size, from the offsets that the lane keeps.
 *
 * <p>The body of an exchange is a list of exchanges, one for each record, whose bodies are the values as byte arrays
 * and whose headers are those of the component {@code kafka:}. The list is empty while no records arrive, if the lane
 * has an {@code idleInterval}. The reading is done by a {@code kafka:} consumer; this
 * endpoint sets all of its options that exactly-once and at-least-once processing rely on.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "lane",
        title = "Lane",
        syntax = "lane:topic",
        consumerOnly = true,
        category = {Category.MESSAGING})
public class LaneEndpoint extends DefaultEndpoint {
    private static final Duration LONGEST_POLL = Duration.ofMillis(100);

    /** The time after which Kafka answers a fetch without records. It returns records as soon as there are some. */
    private static final Duration EMPTY_FETCH = Duration.ofSeconds(1);

    /** The interval at which a consumer without records determines whether the database has been replaced. */
    private static final Duration DATABASE_CHECK = Duration.ofSeconds(5);

    private static final Duration MAX_POLL_INTERVAL = Duration.ofHours(24);
    private static final Duration DATABASE_MAX_POLL_INTERVAL = Duration.ofMinutes(5);

    @UriParam
    private final LaneConfiguration configuration;

    private @Nullable DatabaseOffsets databaseOffsets;

    public LaneEndpoint(String uri, LaneComponent component, LaneConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public LaneConfiguration getConfiguration() {
        return configuration;
    }

    /**
     * The records of each partition that the lane has not stored yet; empty if the database does not hold its
     * offsets.
     */
    public Map<TopicPartition, Long> lag() throws SQLException, ExecutionException {
        DatabaseOffsets offsets = databaseOffsets;
        return offsets == null ? Map.of() : offsets.lag();
    }

    /**
     * Returns the progress in all partitions of the topic, whether or not this process reads them; empty if the lane
     * does not keep its offsets in the database.
     */
    public Map<TopicPartition, LaneProgress> progress() throws SQLException, ExecutionException {
        DatabaseOffsets offsets = databaseOffsets;
        return offsets == null ? Map.of() : offsets.progress(configuration.getTopic());
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException("lane: is a consumer; send records with kafka:");
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (configuration.getLane().isEmpty()) {
            throw new IllegalArgumentException("lane:" + configuration.getTopic() + " requires the option lane");
        }
        if (isInDatabase() && configuration.topics().size() > 1) {
            throw new IllegalArgumentException("lane:" + configuration.getTopic()
                    + " must read a single topic because its offsets are in the database");
        }
        KafkaEndpoint kafka = kafkaEndpoint(processor);
        Object offsets = configuration.getOffsets();
        Processor steps = processor;
        if (offsets instanceof OffsetStore store) {
            StoredOffsets stored = new StoredOffsets(store);
            kafka.getConfiguration().setOffsetRepository(stored);
            kafka.setKafkaManualCommitFactory(stored);
        } else if (offsets.equals(LaneConfiguration.KAFKA)) {
            GroupOffsets group = new GroupOffsets();
            kafka.setKafkaManualCommitFactory(group);
            steps = group.committing(processor);
        } else if (isInDatabase()) {
            DatabaseOffsets database = databaseOffsets(kafka);
            kafka.getConfiguration().setOffsetRepository(database);
            kafka.setKafkaManualCommitFactory(database);
            databaseOffsets = database;
        } else {
            throw new IllegalArgumentException("offsets=" + offsets + " is not supported: the values are "
                    + LaneConfiguration.DATABASE + ", " + LaneConfiguration.KAFKA + " and #bean of an OffsetStore");
        }
        DefaultConsumer consumer = (DefaultConsumer) kafka.createConsumer(steps);
        configureConsumer(consumer);
        if (databaseOffsets != null) {
            databaseOffsets.lookUpWhile(consumer::isRunAllowed);
        }
        return consumer;
    }

    private boolean isInDatabase() {
        return configuration.getOffsets().equals(LaneConfiguration.DATABASE);
    }

    private DatabaseOffsets databaseOffsets(KafkaEndpoint kafka) {
        return new DatabaseOffsets(
                configuration.getLane(),
                Databases.find(
                        configuration.getDataSource(),
                        ((LaneComponent) getComponent()).getDataSource(),
                        getCamelContext()),
                configuration.getOffsetTable(),
                adminSettings(kafka));
    }

    /** A {@code kafka:} endpoint with the options that the lane needs; those of the component are its defaults. */
    private KafkaEndpoint kafkaEndpoint(Processor processor) {
        KafkaComponent component = getCamelContext().getComponent("kafka", KafkaComponent.class);
        KafkaEndpoint kafka = new KafkaEndpoint("kafka:" + configuration.getTopic(), component);
        kafka.setCamelContext(getCamelContext());
        KafkaConfiguration options = component.getConfiguration().copy();
        kafka.setConfiguration(options);
        options.setAdditionalProperties(new HashMap<>(options.getAdditionalProperties()));
        options.setTopic(configuration.getTopic());
        String group = configuration.getGroupId();
        options.setGroupId(group == null ? "silkroute-" + configuration.getLane() : group);
        options.setConsumersCount(configuration.getConsumers());
        options.setKeyDeserializer(ByteArrayDeserializer.class.getName());
        options.setValueDeserializer(ByteArrayDeserializer.class.getName());
        setBatches(options);
        setOffsets(options);
        setTimeouts(options);
        kafka.setKafkaClientFactory(new LaneClientFactory(
                configuration.getBatchRecords(),
                configuration.getBatchBytes(),
                configuration.getBatchInterval(),
                () -> idleActions(processor),
                ((LaneComponent) getComponent()).consumers(),
                getCamelContext()::isStopping));
        return kafka;
    }

    private List<IdleAction> idleActions(Processor processor) {
        IdleAction empty =
                new IdleAction(configuration.getIdleInterval(), () -> processEmptyList(processor), System::nanoTime);
        DatabaseOffsets offsets = databaseOffsets;
        return offsets == null
                ? List.of(empty)
                : List.of(empty, new IdleAction(DATABASE_CHECK, offsets::requireSameDatabase, System::nanoTime));
    }

    /**
     * Runs the route with an empty list.
     *
     * @throws RuntimeCamelException if the route fails, so that the consumer reconnects as after a batch that failed
     */
    private void processEmptyList(Processor processor) {
        Exchange exchange = createExchange();
        exchange.getMessage().setBody(List.of());
        try {
            processor.process(exchange);
        } catch (Exception e) {
            exchange.setException(e);
        }
        if (exchange.getException() != null) {
            throw RuntimeCamelException.wrapRuntimeException(exchange.getException());
        }
    }

    private void setBatches(KafkaConfiguration options) {
        Integer fetch = configuration.getFetchBytes();
        Duration interval = configuration.getBatchInterval();
        options.setBatching(true);
        options.setBatchingIntervalMs(Math.toIntExact(interval.toMillis()));
        options.setPollTimeoutMs(Math.min(interval.toMillis(), LONGEST_POLL.toMillis()));
        options.setMaxPollRecords(configuration.getBatchRecords());
        options.setFetchMaxBytes(
                fetch == null ? Math.toIntExact(Math.min(1 << 30, configuration.getBatchBytes() / 2)) : fetch);
        Duration wait = configuration.getFetchWait();
        options.setFetchWaitMaxMs(Math.toIntExact((wait == null ? EMPTY_FETCH : wait).toMillis()));
        if (wait != null) {
            options.setFetchMinBytes(options.getFetchMaxBytes());
        }
    }

    /**
     * Without {@code breakOnFirstError}, camel-kafka continues after a batch that failed; with another
     * {@code pollOnError} it may skip a record of each partition.
     */
    private static void setOffsets(KafkaConfiguration options) {
        options.setAutoOffsetReset("earliest");
        options.setAutoCommitEnable(false);
        options.setAllowManualCommit(true);
        options.setBreakOnFirstError(true);
        options.setPollOnError(PollOnError.RECONNECT);
    }

    private void setTimeouts(KafkaConfiguration options) {
        Duration session = configuration.getSessionTimeout();
        if (session == null && isInDatabase()) {
            session = ((LaneComponent) getComponent()).getSessionTimeout();
        }
        if (session != null) {
            options.setSessionTimeoutMs(Math.toIntExact(session.toMillis()));
        }
        Duration poll = configuration.getMaxPollInterval();
        if (poll == null) {
            poll = isInDatabase() ? DATABASE_MAX_POLL_INTERVAL : MAX_POLL_INTERVAL;
        }
        options.setMaxPollIntervalMs(Math.toIntExact(poll.toMillis()));
        options.setShutdownTimeout(
                Math.toIntExact(configuration.getShutdownTimeout().toMillis()));
    }

    /** Returns the addresses and security settings of the brokers, for an admin client. */
    private static Map<String, Object> adminSettings(KafkaEndpoint kafka) {
        Properties properties = kafka.getConfiguration().createConsumerProperties();
        kafka.updateClassProperties(properties);
        Map<String, Object> settings = new HashMap<>();
        for (String name : AdminClientConfig.configNames()) {
            if (name.startsWith("ssl.") || name.startsWith("sasl.") || name.equals("security.protocol")) {
                Object value = properties.get(name);
                if (value != null) {
                    settings.put(name, value);
                }
            }
        }
        String brokers = kafka.getKafkaClientFactory().getBrokers(kafka.getConfiguration());
        if (brokers == null) {
            throw new IllegalArgumentException("the component kafka: has no brokers");
        }
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, brokers);
        return settings;
    }
}
