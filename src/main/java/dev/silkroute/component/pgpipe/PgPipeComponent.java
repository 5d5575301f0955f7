package dev.silkroute.component.pgpipe;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import dev.silkroute.postgres.pipeline.PipelinePool;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.util.PropertiesHelper;
import org.jspecify.annotations.Nullable;

/** The component {@code pgpipe:statements}. */
@Component("pgpipe")
public class PgPipeComponent extends DefaultComponent {
    @Metadata(description = "The pool of endpoints that do not name one", autowired = true)
    private @Nullable PipelinePool pool;

    @Metadata(description = "The JDBC URL of the database, for the component's own pool if none is given")
    private @Nullable String url;

    @Metadata(defaultValue = "8", description = "The maximum number of connections in the component's own pool")
    private int connections = PipelineLimits.DEFAULT.connections();

    private @Nullable PipelinePool own;
    private Runnable unregister = () -> {};

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        PgPipeConfiguration configuration = new PgPipeConfiguration();
        configuration.setStatements(remaining);
        configuration.setSettings(PropertiesHelper.extractProperties(parameters, "setting."));
        PgPipeEndpoint endpoint = new PgPipeEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    /** Returns the given pool, or else the component's own, which is opened when first used. */
    PipelinePool connections() {
        PipelinePool given = pool;
        return given == null ? ownPool() : given;
    }

    private PipelinePool ownPool() {
        lock.lock();
        try {
            PipelinePool opened = own;
            if (opened == null) {
                if (url == null) {
                    throw new IllegalArgumentException("pgpipe: requires a pool or the url of a database");
                }
                PipelineLimits limits = PipelineLimits.DEFAULT;
                opened = PipelinePool.open(
                        url, limits.withConnections(connections, limits.waiting(), limits.waitLimit()));
                own = opened;
                PipelinePool pool = opened;
                if (MeterGroup.isAvailable(getCamelContext())) {
                    unregister = MeterGroup.bind(
                            getCamelContext(), registry -> PgPipeMeters.register(registry, "pgpipe", pool));
                }
            }
            return opened;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void doShutdown() throws Exception {
        unregister.run();
        if (own != null) {
            own.close();
        }
        super.doShutdown();
    }

    public @Nullable PipelinePool getPool() {
        return pool;
    }

    public void setPool(@Nullable PipelinePool pool) {
        this.pool = pool;
    }

    public @Nullable String getUrl() {
        return url;
    }

    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    public int getConnections() {
        return connections;
    }

    public void setConnections(int connections) {
        this.connections = connections;
    }
}
