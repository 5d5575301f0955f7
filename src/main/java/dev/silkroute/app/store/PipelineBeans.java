package dev.silkroute.app.store;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.pgpipe.PgPipeMeters;
import dev.silkroute.postgres.pipeline.PipelineLimits;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.apache.camel.spi.Metadata;

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
    @Metadata(description = "The pool of pipelined connections to PostgreSQL: option pool of pgpipe:")
    @Unremovable
    PipelinePool pipeline(MeterRegistry meters, StationConfig config) {
        var limits = PipelineLimits.DEFAULT;
        var configured = config.pipeline();
        var pool = PipelinePool.open(
                config.jdbcUrl().orElse(""),
                limits.withConnections(configured.connections(), limits.waiting(), configured.waitLimit())
                        .withTimeout(configured.timeout()));
        PgPipeMeters.register(meters, "station", pool);
        return pool;
    }

    void close(@Disposes PipelinePool pool) {
        pool.close();
    }
}
