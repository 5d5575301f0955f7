package dev.silkroute.component.pgstate;

import javax.sql.DataSource;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.ScheduledPollEndpoint;

/** The station's current state: takes away the routes that are gone without their router's word, and gives what was told of them. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "pgstate",
        title = "PostgreSQL Current State",
        syntax = "pgstate:what",
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
        throw new UnsupportedOperationException("pgstate: only consumes");
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        ScheduledPollConsumer consumer = switch (configuration.getWhat()) {
            case WITHDRAWALS -> new PgStateConsumer(this, processor);
            case OUTBOX -> new OutboxConsumer(this, processor);
            default ->
                throw new IllegalArgumentException("pgstate:" + configuration.getWhat()
                        + " is not known; there are pgstate:" + WITHDRAWALS + " and pgstate:" + OUTBOX);
        };
        configureConsumer(consumer);
        return consumer;
    }

    DataSource dataSource() {
        DataSource own = configuration.getDataSource();
        DataSource ofComponent = ((PgStateComponent) getComponent()).getDataSource();
        if (own != null) {
            return own;
        }
        return ofComponent != null
                ? ofComponent
                : CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), DataSource.class);
    }
}
