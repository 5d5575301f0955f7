package dev.silkroute.component.pgpipe;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of a pool as Micrometer meters. */
public final class PgPipeMeters {
    private PgPipeMeters() {}

    /** Registers the meters of a pool under a name. */
    public static MeterGroup<PipelinePool> register(MeterRegistry registry, String name, PipelinePool pool) {
        return new MeterGroup<>(registry, pool, "pool", name)
                .timer(
                        Metric.PGPIPE_DURATION,
                        p -> p.statistics().pipelines(),
                        p -> p.statistics().nanos())
                .counter(Metric.PGPIPE_STATEMENTS, p -> p.statistics().statements())
                .counter(Metric.PGPIPE_FAILURES, p -> p.statistics().failed())
                .counter(Metric.PGPIPE_UNKNOWN, p -> p.statistics().unknown())
                .counter(Metric.PGPIPE_CANCELLED, p -> p.statistics().cancelled())
                .counter(Metric.PGPIPE_REJECTED, p -> p.statistics().rejected())
                .counter(Metric.PGPIPE_PREPARED, p -> p.statistics().prepared())
                .counter(Metric.PGPIPE_REUSED, p -> p.statistics().reused())
                .counter(Metric.PGPIPE_CONNECTIONS_OPENED, p -> p.statistics().opened())
                .counter(Metric.PGPIPE_CONNECTIONS_LOST, p -> p.statistics().lost())
                .gauge(Metric.PGPIPE_CONNECTIONS_BUSY, PipelinePool::busy)
                .gauge(Metric.PGPIPE_CONNECTIONS_IDLE, PipelinePool::idle)
                .gauge(Metric.PGPIPE_WAITING, PipelinePool::waiting);
    }
}
