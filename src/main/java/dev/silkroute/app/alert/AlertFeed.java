package dev.silkroute.app.alert;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.rib.StateFeed;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.spi.Metadata;

/** The bean {@code alertFeed} of routes: where the alerts read {@code bmp.routes}, and their evaluation. */
@Singleton
@Named("alertFeed")
@Metadata(
        description =
                "Alerts on routes. As option offsets of lane: the offsets up to which records have been evaluated; its method evaluate replaces the body with the changes of alerts")
@Unremovable
public final class AlertFeed extends StateFeed {
    private final AlertEvaluator evaluator;

    @Inject
    AlertFeed(AlertEvaluator evaluator, DataSource database, KafkaAccess access) {
        super(evaluator, database, access);
        this.evaluator = evaluator;
    }

    /**
     * Evaluates the records of an exchange, a list of exchanges or one record. Once after each load, also without
     * records, reports what the current state opens and closes.
     */
    public void evaluate(Exchange exchange) {
        evaluator.evaluate(exchange, this);
    }

    @Override
    @PreDestroy
    protected void stop() {
        super.stop();
    }
}
