package dev.silkroute.app.alert;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.rib.StateFeed;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.spi.Metadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The bean {@code alertFeed} of routes: where the alerts read {@code bmp.routes}, {@code bmp.stats} and {@code
 * bmp.quarantine}, and their evaluation. Each of the topics is loaded by itself.
 */
@Singleton
@Named("alertFeed")
@Metadata(
        description =
                "Alerts on routes, statistics and undecodable messages. As option offsets of lane: the offsets up to which records have been evaluated; its method evaluate replaces the body with the changes of alerts")
@Unremovable
public final class AlertFeed extends StateFeed {
    private final AlertEvaluator evaluator;
    private final String quarantineTopic;
    private final FurtherFeed quarantine;
    /** The feeds of the topics that do not contain route batches. */
    private final Map<String, FurtherFeed> further;

    @Inject
    AlertFeed(StationConfig config, AlertEvaluator evaluator, DataSource database, KafkaAccess access) {
        super(evaluator, database, access);
        this.evaluator = evaluator;
        quarantineTopic = StationTopic.QUARANTINE.name(config);
        quarantine = new FurtherFeed(evaluator.quarantine(), database, access);
        further = Map.of(
                quarantineTopic,
                quarantine,
                StationTopic.STATS.name(config),
                new FurtherFeed(evaluator.statistics(), database, access));
    }

    void register(@Observes StartupEvent start, MeterRegistry meters, StationConfig config) {
        if (config.routes().alerts().enabled()) {
            new MeterGroup<>(meters, this).counter(Metric.ALERTS_INVALID_ROWS, AlertFeed::invalidRows);
        }
    }

    /**
     * Evaluates the records of an exchange, a list of exchanges or one record. Once after each load, also without
     * records, reports what the current state opens and closes.
     */
    public void evaluate(Exchange exchange) {
        evaluator.evaluate(exchange, this);
    }

    /** Uses the rules that have been read last. The lane must not be running. */
    void useRules() {
        evaluator.useRules();
        loadAgain();
        further.values().forEach(FurtherFeed::loadAgain);
    }

    /** Returns whether a topic contains undecodable messages. */
    boolean isQuarantine(String topic) {
        return topic.equals(quarantineTopic);
    }

    /** Returns whether a topic contains route batches. */
    boolean isRoutes(String topic) {
        return !further.containsKey(topic);
    }

    /** Returns whether all undecodable messages have been applied that the topic contained after loading. */
    boolean isQuarantineReady() {
        return quarantine.ready();
    }

    @Override
    public OptionalLong nextOffset(TopicPartition partition) {
        FurtherFeed feed = further.get(partition.topic());
        return feed == null ? super.nextOffset(partition) : feed.nextOffset(partition);
    }

    @Override
    public void onRead(TopicPartition partition, long offset, long timestamp) {
        FurtherFeed feed = further.get(partition.topic());
        if (feed == null) {
            super.onRead(partition, offset, timestamp);
        } else {
            feed.onRead(partition, offset, timestamp);
        }
    }

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        FurtherFeed feed = further.get(topic);
        return feed == null ? super.isNew(topic, partition, offset) : feed.isNew(topic, partition, offset);
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        FurtherFeed feed = further.get(topic);
        if (feed == null) {
            super.applied(topic, partition, offset);
        } else {
            feed.applied(topic, partition, offset);
        }
    }

    @Override
    @PreDestroy
    protected void stop() {
        further.values().forEach(FurtherFeed::stop);
        super.stop();
    }
}
