package dev.silkroute.component.pgstate;

import dev.silkroute.component.Databases;
import javax.sql.DataSource;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.ScheduledPollEndpoint;

/**
 * Maintains the current state of routes in PostgreSQL: withdraws the routes that ended without a withdrawal by their
 * router, and delivers these withdrawals.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "pgstate",
        title = "PostgreSQL Current State",
        syntax = "pgstate:operation",
        consumerOnly = true,
        category = {Category.DATABASE},
        headersClass = PgStateConstants.class)
public class PgStateEndpoint extends ScheduledPollEndpoint {
    static final String WITHDRAWALS = "withdrawals";
    static final String OUTBOX = "outbox";

    @UriParam
    private final PgStateConfiguration configuration;

    public PgStateEndpoint(String uri, PgStateComponent component, PgStateConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public PgStateConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException("pgstate: is a consumer");
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        ScheduledPollConsumer consumer = switch (configuration.getOperation()) {
            case WITHDRAWALS -> new PgStateConsumer(this, processor);
            case OUTBOX -> new OutboxConsumer(this, processor);
            default ->
                throw new IllegalArgumentException("pgstate:" + configuration.getOperation()
                        + " is not supported: the operations are " + WITHDRAWALS + " and " + OUTBOX);
        };
        configureConsumer(consumer);
        return consumer;
    }

    DataSource dataSource() {
        return Databases.find(
                configuration.getDataSource(), ((PgStateComponent) getComponent()).getDataSource(), getCamelContext());
    }
}
