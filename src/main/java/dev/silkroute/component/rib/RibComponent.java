package dev.silkroute.component.rib;

import dev.silkroute.component.StaleTimeouts;
import dev.silkroute.rib.Rib;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/** The component {@code rib:operation}. */
@Component("rib")
public class RibComponent extends DefaultComponent {
    @Metadata(description = "The RIB of endpoints that do not set one", autowired = true)
    private @Nullable Rib rib;

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
        RibConfiguration configuration = new RibConfiguration();
        configuration.setOperation(RibOperation.of(remaining));
        configuration.setStaleTimeout(staleTimeout);
        configuration.setResyncTimeout(resyncTimeout);
        RibEndpoint endpoint = new RibEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    public @Nullable Rib getRib() {
        return rib;
    }

    public void setRib(@Nullable Rib rib) {
        this.rib = rib;
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
