package dev.silkroute.component.nettyff;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Endpoint;
import org.apache.camel.component.netty.NettyComponent;
import org.apache.camel.component.netty.NettyConfiguration;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.jspecify.annotations.Nullable;

/** The component {@code netty-ff:tcp://host:port}. */
@Component("netty-ff")
public class NettyFfComponent extends NettyComponent {
    @Metadata(description = "Default options of endpoints; a NettyFfConfiguration")
    private NettyConfiguration configuration = new NettyFfConfiguration();

    private final AtomicInteger endpoints = new AtomicInteger();
    private @Nullable ScheduledExecutorService connector;

    public NettyFfComponent() {
        super.setConfiguration(configuration);
    }

    @Override
    public NettyConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public void setConfiguration(NettyConfiguration configuration) {
        if (!(configuration instanceof NettyFfConfiguration)) {
            throw new IllegalArgumentException("netty-ff requires a NettyFfConfiguration, not a "
                    + configuration.getClass().getName());
        }
        this.configuration = configuration;
        super.setConfiguration(configuration);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        NettyFfConfiguration options = ((NettyFfConfiguration) configuration).copy();
        options.parseURI(new URI(remaining), parameters, this, "tcp", "udp");
        if (options.getSslContextParameters() == null) {
            options.setSslContextParameters(retrieveGlobalSslContextParameters());
        }
        options.validateConfiguration();
        NettyFfEndpoint endpoint = new NettyFfEndpoint(uri, this, options, endpoints.incrementAndGet());
        setProperties(endpoint, parameters);
        return endpoint;
    }

    /** Returns the thread that starts connection attempts, because resolving a name may block. */
    ScheduledExecutorService connector() {
        synchronized (endpoints) {
            if (connector == null) {
                connector = getCamelContext()
                        .getExecutorServiceManager()
                        .newSingleThreadScheduledExecutor(this, "netty-ff connector");
            }
            return connector;
        }
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        synchronized (endpoints) {
            if (connector != null) {
                getCamelContext().getExecutorServiceManager().shutdownNow(connector);
                connector = null;
            }
        }
    }
}
