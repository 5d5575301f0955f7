package dev.silkroute.app.store;

import dev.silkroute.postgres.AttributeSets;
import dev.silkroute.postgres.CurrentStateWriter;
import dev.silkroute.postgres.DimensionCache;
import dev.silkroute.postgres.HistoryWriter;
import dev.silkroute.postgres.RouteLane;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes what the bulk lanes call, on the datasource {@code bulk}, so that they never wait for the low-volume lanes. */
@Singleton
public class StoreBeans {
    private final javax.sql.DataSource bulk;
    private final MeterRegistry meters;
    private final DimensionCache dimensions;
    private final AttributeSets attributes;

    StoreBeans(
            @DataSource("bulk") javax.sql.DataSource bulk,
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.store.remembered-attribute-sets", defaultValue = "2000000") int sets,
            @ConfigProperty(name = "silkroute.store.remembered-peers", defaultValue = "100000") int peers) {
        this.bulk = bulk;
        this.meters = meters;
        dimensions = new DimensionCache(peers);
        attributes = new AttributeSets(sets);
    }

    @Produces
    @Singleton
    @Named("history")
    @Unremovable
    StoreLane history() {
        return new StoreLane("history", new RouteLane(bulk, new HistoryWriter(dimensions, attributes)), meters);
    }

    @Produces
    @Singleton
    @Named("currentState")
    @Unremovable
    StoreLane currentState() {
        return new StoreLane("current", new RouteLane(bulk, new CurrentStateWriter(dimensions, attributes)), meters);
    }
}
