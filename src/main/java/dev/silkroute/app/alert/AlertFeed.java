package dev.silkroute.app.alert;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.rib.StateFeed;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.spi.Metadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The bean {@code alertFeed} of routes: where the alerts read {@code bmp.routes} and {@code bmp.quarantine}, and their
 * evaluation. Each of the topics is loaded by itself.
 */
@Singleton
@Named("alertFeed")
@Metadata(
        description =
                "Alerts on routes and undecodable messages. As option offsets of lane: the offsets up to which records have been evaluated; its method evaluate replaces the body with the changes of alerts")
@Unremovable
public final class AlertFeed extends StateFeed {
    private final AlertEvaluator evaluator;
    private final String quarantineTopic;
    private final QuarantineFeed quarantine;

    @Inject
    AlertFeed(StationConfig config, AlertEvaluator evaluator, DataSource database, KafkaAccess access) {
        super(evaluator, database, access);
        this.evaluator = evaluator;
        quarantineTopic = StationTopic.QUARANTINE.name(config);
        quarantine = new QuarantineFeed(evaluator.quarantine(), database, access);
    }

    /**
     * Evaluates the records of an exchange, a list of exchanges or one record. Once after each load, also without
     * records, reports what the current state opens and closes.
     */
    public void evaluate(Exchange exchange) {
        evaluator.evaluate(exchange, this);
    }

    /** Returns whether a topic contains undecodable messages; otherwise, it contains route batches. */
    boolean isQuarantine(String topic) {
        return topic.equals(quarantineTopic);
    }

    /** Returns whether all undecodable messages have been applied that the topic contained after loading. */
    boolean isQuarantineReady() {
        return quarantine.ready();
    }

    @Override
    public OptionalLong nextOffset(TopicPartition partition) {
        return isQuarantine(partition.topic()) ? quarantine.nextOffset(partition) : super.nextOffset(partition);
    }

    @Override
    public void onRead(TopicPartition partition, long offset, long timestamp) {
        if (isQuarantine(partition.topic())) {
            quarantine.onRead(partition, offset, timestamp);
        } else {
            super.onRead(partition, offset, timestamp);
        }
    }

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        return isQuarantine(topic)
                ? quarantine.isNew(topic, partition, offset)
                : super.isNew(topic, partition, offset);
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        if (isQuarantine(topic)) {
            quarantine.applied(topic, partition, offset);
        } else {
            super.applied(topic, partition, offset);
        }
    }

    @Override
    @PreDestroy
    protected void stop() {
        quarantine.stop();
        super.stop();
    }
}
