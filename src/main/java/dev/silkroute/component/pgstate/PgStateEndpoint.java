package dev.silkroute.component.pgstate;

import javax.sql.DataSource;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.ScheduledPollEndpoint;

/** The station's current state: takes away the routes that are gone without their router's word. */
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
        if (!configuration.getWhat().equals(WITHDRAWALS)) {
            throw new IllegalArgumentException(
                    "pgstate:" + configuration.getWhat() + " is not known; there is pgstate:" + WITHDRAWALS);
        }
        PgStateConsumer consumer = new PgStateConsumer(this, processor);
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
