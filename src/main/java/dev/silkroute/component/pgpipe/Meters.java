package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.PipelinePool;
import dev.silkroute.postgres.pipeline.PipelineStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.camel.CamelContext;

/**
 * A pool's statistics as Micrometer meters, where Micrometer is there and a registry bean too. Nothing else of the room
 * refers to Micrometer's classes, so that it can do without.
 */
public final class Meters {
    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final MeterRegistry registry;
    private final String name;
    private final PipelinePool pool;
    private final List<Meter> meters = new ArrayList<>();

    private Meters(MeterRegistry registry, String name, PipelinePool pool) {
        this.registry = registry;
        this.name = name;
        this.pool = pool;
    }

    static boolean available(CamelContext camel) {
        return camel.getClassResolver().resolveClass(REGISTRY) != null;
    }

    /** Registers the meters, if there is a registry; what it returns removes them again. */
    static Runnable bind(CamelContext camel, String name, PipelinePool pool) {
        Set<MeterRegistry> registries = camel.getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(registry -> registries.size() == 1 || registry instanceof CompositeMeterRegistry)
                .findFirst()
                .or(() -> registries.stream().findFirst())
                .map(registry -> bind(registry, name, pool))
                .orElse(() -> {});
    }

    /** Registers the meters of a pool; what it returns removes them again. */
    public static Runnable bind(MeterRegistry registry, String name, PipelinePool pool) {
        return new Meters(registry, name, pool).register();
    }

    private Runnable register() {
        PipelineStatistics statistics = pool.statistics();
        meters.add(FunctionTimer.builder(
                        "pgpipe.flights",
                        statistics,
                        PipelineStatistics::flights,
                        PipelineStatistics::nanos,
                        TimeUnit.NANOSECONDS)
                .description("Flights to PostgreSQL, and how long they took with the wait for a connection")
                .tag("pool", name)
                .register(registry));
        counter("pgpipe.statements", "Statements in flights", PipelineStatistics::statements);
        counter("pgpipe.failures", "Flights that failed", PipelineStatistics::failed);
        counter(
                "pgpipe.unknown",
                "Flights of which is not known whether they were applied",
                PipelineStatistics::unknown);
        counter("pgpipe.cancelled", "Flights that took too long or were interrupted", PipelineStatistics::cancelled);
        counter("pgpipe.refused", "Flights for which no connection was free in time", PipelineStatistics::refused);
        counter("pgpipe.prepared", "Statements that had to be prepared", PipelineStatistics::prepared);
        counter("pgpipe.reused", "Statements that were prepared already", PipelineStatistics::reused);
        counter("pgpipe.connections.opened", "Connections opened", PipelineStatistics::opened);
        counter("pgpipe.connections.lost", "Connections lost or given up", PipelineStatistics::lost);
        gauge("pgpipe.connections.busy", "Connections that a flight has", PipelinePool::busy);
        gauge("pgpipe.connections.idle", "Connections that nobody uses", PipelinePool::idle);
        gauge("pgpipe.waiting", "Callers that wait for a connection", PipelinePool::waiting);
        return () -> meters.forEach(registry::remove);
    }

    private void counter(String meter, String description, ToLongFunction<PipelineStatistics> value) {
        meters.add(FunctionCounter.builder(meter, pool.statistics(), value::applyAsLong)
                .description(description)
                .tag("pool", name)
                .register(registry));
    }

    private void gauge(String meter, String description, ToDoubleFunction<PipelinePool> value) {
        meters.add(Gauge.builder(meter, pool, value)
                .description(description)
                .tag("pool", name)
                .register(registry));
    }
}
