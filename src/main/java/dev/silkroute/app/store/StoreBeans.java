package dev.silkroute.app.store;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.RowSource;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.postgres.state.TableDumps;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.apache.camel.spi.Metadata;

/**
 * The beans that make rows of records, one for each lane with offsets in the database: {@code
 * pgcopy:…?rows=#history}. The bulk lanes have the data source {@code bulk} to themselves, so that they and the
 * low-volume lanes never wait for each other's connections.
 */
@Singleton
public class StoreBeans {
    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final TableDumps dumps;
    private final boolean outbox;

    StoreBeans(MeterRegistry meters, StationConfig config) {
        dimensions = new DimensionCache(config.store().rememberedPeers());
        attributes = new AttributeSets(config.store().rememberedAttributeSets());
        dumps = new TableDumps(config.store().dumpFilterBytes().asLongValue());
        outbox = config.routes().withdrawals().enabled();
        new MeterGroup<>(meters, attributes)
                .counter(Metric.PGCOPY_ATTRIBUTE_SETS, AttributeSets::hits, "known", "yes")
                .counter(Metric.PGCOPY_ATTRIBUTE_SETS, AttributeSets::misses, "known", "no");
        new MeterGroup<>(meters, dumps)
                .gauge(Metric.PGCOPY_DUMP_FILTER, TableDumps::bytes)
                .counter(Metric.PGCOPY_DUMP_ROUTES, TableDumps::copiedRoutes)
                .counter(Metric.PGCOPY_DUMP_CONFLICTS, TableDumps::conflicts);
    }

    @Produces
    @Singleton
    @Named("history")
    @Metadata(
            description =
                    "Converts records of bmp.routes to rows of the history: option rows of pgcopy:bmp.route_event")
    @Unremovable
    RowSource<byte[]> history() {
        return RowSource.of(byte[].class, table -> new HistoryWriter(table, dimensions, attributes));
    }

    @Produces
    @Singleton
    @Named("currentState")
    @Metadata(description = "Applies records of bmp.routes to the current state: option rows of pgcopy:bmp.rib_route")
    @Unremovable
    RowSource<byte[]> currentState() {
        return RowSource.of(byte[].class, table -> new CurrentStateWriter(dimensions, attributes, outbox, dumps));
    }
}
