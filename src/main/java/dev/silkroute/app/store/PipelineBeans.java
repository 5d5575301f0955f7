package dev.silkroute.app.store;

import dev.silkroute.component.pgpipe.PgPipeMeters;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The station's pool of pipelined connections, used by {@code pgpipe:} endpoints and by queries of several
 * statements.
 */
@Singleton
public class PipelineBeans {
    /** Opens the pool, with an event loop of its own. Connections are opened when first used. */
    @Produces
    @Singleton
    @Named("pipeline")
    @Unremovable
    PipelinePool pipeline(
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.jdbc-url") String url,
            @ConfigProperty(name = "silkroute.pipeline.connections", defaultValue = "4") int connections,
            @ConfigProperty(name = "silkroute.pipeline.wait-limit", defaultValue = "5s") Duration waitLimit,
            @ConfigProperty(name = "silkroute.pipeline.timeout", defaultValue = "30s") Duration pipelineTimeout) {
        var limits = PipelineLimits.DEFAULT;
        var pool = PipelinePool.open(
                url,
                limits.withConnections(connections, limits.waiting(), waitLimit).withTimeout(pipelineTimeout));
        PgPipeMeters.register(meters, "station", pool);
        return pool;
    }

    void close(@Disposes PipelinePool pool) {
        pool.close();
    }
}
