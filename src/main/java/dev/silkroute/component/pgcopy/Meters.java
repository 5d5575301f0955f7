package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.LaneStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.camel.CamelContext;

/**
 * A lane's statistics as Micrometer meters, where Micrometer is there and a registry bean too. Nothing else of the room
 * refers to Micrometer's classes, so that it can do without.
 */
public final class Meters {
    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final MeterRegistry registry;
    private final LaneStatistics statistics;
    private final String lane;
    private final List<Meter> meters = new ArrayList<>();

    private Meters(MeterRegistry registry, String lane, LaneStatistics statistics) {
        this.registry = registry;
        this.lane = lane;
        this.statistics = statistics;
    }

    static boolean available(CamelContext camel) {
        return camel.getClassResolver().resolveClass(REGISTRY) != null;
    }

    /** Registers the meters, if there is a registry; what it returns removes them again. */
    static Runnable bind(PgCopyEndpoint endpoint, LaneStatistics statistics) {
        Set<MeterRegistry> registries = endpoint.getCamelContext().getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(registry -> registries.size() == 1 || registry instanceof CompositeMeterRegistry)
                .findFirst()
                .or(() -> registries.stream().findFirst())
                .map(registry -> bind(registry, endpoint.name(), statistics))
                .orElse(() -> {});
    }

    /** Registers the meters of a lane; what it returns removes them again. */
    public static Runnable bind(MeterRegistry registry, String lane, LaneStatistics statistics) {
        return new Meters(registry, lane, statistics).register();
    }

    private Runnable register() {
        counter("pgcopy.rows", "Rows written to PostgreSQL", LaneStatistics::rows);
        counter("pgcopy.records", "Kafka records stored in PostgreSQL", LaneStatistics::records);
        counter("pgcopy.transactions", "Transactions that stored something", LaneStatistics::transactions);
        counter("pgcopy.duplicates", "Records that came again and were not stored again", LaneStatistics::duplicates);
        counter("pgcopy.gaps", "How often a topic had lost records that were not read yet", LaneStatistics::gaps);
        counter("pgcopy.gap.records", "Records lost in those gaps", LaneStatistics::skipped);
        counter("pgcopy.quarantined", "Records that could not be stored", LaneStatistics::recordsSetAside);
        counter("pgcopy.retries", "How often the database could not take a batch", LaneStatistics::retries);
        counter("pgcopy.refusals", "Batches that did not continue where the lane stands", LaneStatistics::refusals);
        return () -> meters.forEach(registry::remove);
    }

    private void counter(String name, String description, ToLongFunction<LaneStatistics> value) {
        meters.add(FunctionCounter.builder(name, statistics, value::applyAsLong)
                .description(description)
                .tag("lane", lane)
                .register(registry));
    }
}
