package dev.silkroute.component.pgstate;

import dev.silkroute.component.StaleTimeouts;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/** The component {@code pgstate:}. */
@Component("pgstate")
public class PgStateComponent extends DefaultComponent {
    @Metadata(description = "The database of endpoints that do not name one", autowired = true)
    private @Nullable DataSource dataSource;

    @Metadata(
            defaultValue = StaleTimeouts.STALE_TEXT,
            javaType = "java.time.Duration",
            description = "The staleTimeout of endpoints that do not set one")
    private Duration staleTimeout = StaleTimeouts.STALE;

    @Metadata(
            defaultValue = StaleTimeouts.RESYNC_TEXT,
            javaType = "java.time.Duration",
            description = "The resyncTimeout of endpoints that do not set one")
    private Duration resyncTimeout = StaleTimeouts.RESYNC;

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        PgStateConfiguration configuration = new PgStateConfiguration();
        configuration.setOperation(remaining);
        configuration.setStaleTimeout(staleTimeout);
        configuration.setResyncTimeout(resyncTimeout);
        PgStateEndpoint endpoint = new PgStateEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    public @Nullable DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public Duration getStaleTimeout() {
        return staleTimeout;
    }

    public void setStaleTimeout(Duration staleTimeout) {
        this.staleTimeout = staleTimeout;
    }

    public Duration getResyncTimeout() {
        return resyncTimeout;
    }

    public void setResyncTimeout(Duration resyncTimeout) {
        this.resyncTimeout = resyncTimeout;
    }
}
