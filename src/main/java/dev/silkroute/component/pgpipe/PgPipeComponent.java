package dev.silkroute.component.pgpipe;

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
    @Metadata(description = "The connections of endpoints that don't name others", autowired = true)
    private @Nullable PipelinePool pool;

    @Metadata(description = "JDBC URL of the database, for a pool of the component's own where none is given")
    private @Nullable String url;

    @Metadata(defaultValue = "8", description = "Most connections of the component's own pool")
    private int connections = PipelineLimits.DEFAULT.connections();

    private @Nullable PipelinePool own;
    private @Nullable Runnable unbind;

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        PgPipeConfiguration configuration = new PgPipeConfiguration();
        configuration.setStatements(remaining);
        configuration.setSettings(PropertiesHelper.extractProperties(parameters, "setting."));
        PgPipeEndpoint endpoint = new PgPipeEndpoint(uri, this, configuration);
        setProperties(endpoint, parameters);
        return endpoint;
    }

    /** The pool that was given, or else one of the component's own, opened when first asked for. */
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
                    throw new IllegalArgumentException("pgpipe needs a pool or the url of a database");
                }
                PipelineLimits limits = PipelineLimits.DEFAULT;
                opened = PipelinePool.open(
                        url, limits.withConnections(connections, limits.waiting(), limits.waitLimit()));
                own = opened;
                if (Meters.available(getCamelContext())) {
                    unbind = Meters.bind(getCamelContext(), "pgpipe", opened);
                }
            }
            return opened;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void doShutdown() throws Exception {
        if (unbind != null) {
            unbind.run();
        }
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
