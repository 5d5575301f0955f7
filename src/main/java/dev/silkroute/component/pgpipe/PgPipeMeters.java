package dev.silkroute.component.pgpipe;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.postgres.pipeline.PipelinePool;
import io.micrometer.core.instrument.MeterRegistry;

/** The statistics of a pool as Micrometer meters. */
public final class PgPipeMeters {
    private PgPipeMeters() {}

    /** Registers the meters of a pool under a name. */
    public static MeterGroup<PipelinePool> register(MeterRegistry registry, String name, PipelinePool pool) {
        return new MeterGroup<>(registry, pool, "pool", name)
                .timer(
                        "pgpipe.pipelines",
                        "Pipelines executed by PostgreSQL, and their duration including the wait for a connection",
                        p -> p.statistics().pipelines(),
                        p -> p.statistics().nanos())
                .counter(
                        "pgpipe.statements",
                        "Statements in pipelines",
                        p -> p.statistics().statements())
                .counter(
                        "pgpipe.failures",
                        "Pipelines that failed",
                        p -> p.statistics().failed())
                .counter(
                        "pgpipe.unknown",
                        "Pipelines that may or may not have been applied",
                        p -> p.statistics().unknown())
                .counter(
                        "pgpipe.cancelled",
                        "Pipelines that timed out or were interrupted",
                        p -> p.statistics().cancelled())
                .counter(
                        "pgpipe.rejected",
                        "Pipelines rejected because no connection became free",
                        p -> p.statistics().rejected())
                .counter(
                        "pgpipe.prepared",
                        "Statements that had to be prepared",
                        p -> p.statistics().prepared())
                .counter(
                        "pgpipe.reused",
                        "Statements that were prepared already",
                        p -> p.statistics().reused())
                .counter(
                        "pgpipe.connections.opened",
                        "Connections opened",
                        p -> p.statistics().opened())
                .counter(
                        "pgpipe.connections.lost",
                        "Connections lost or closed after a failure",
                        p -> p.statistics().lost())
                .gauge("pgpipe.connections.busy", "Connections in use", PipelinePool::busy)
                .gauge("pgpipe.connections.idle", "Idle connections", PipelinePool::idle)
                .gauge("pgpipe.waiting", "Callers waiting for a connection", PipelinePool::waiting);
    }
}
