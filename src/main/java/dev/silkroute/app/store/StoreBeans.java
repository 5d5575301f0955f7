package dev.silkroute.app.store;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.component.lane.DatabaseOffsets;
import dev.silkroute.component.lane.LaneClientFactory;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.RowSource;
import dev.silkroute.postgres.state.CurrentStateWriter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.spi.ComponentCustomizer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Makes what the lanes' routes name: where their rows come from, and where each lane stands. The bulk lanes have the
 * datasource {@code bulk} to themselves, so that they never wait for the low-volume lanes nor these for them.
 */
@Singleton
public class StoreBeans {
    private static final String OFFSETS = "bmp.lane_offset";

    private final javax.sql.DataSource bulk;
    private final javax.sql.DataSource low;
    private final Map<String, Object> kafka;
    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final boolean tellWithdrawals;

    StoreBeans(
            @DataSource("bulk") javax.sql.DataSource bulk,
            javax.sql.DataSource low,
            MeterRegistry meters,
            KafkaAccess access,
            @ConfigProperty(name = "silkroute.store.remembered-attribute-sets", defaultValue = "2000000") int sets,
            @ConfigProperty(name = "silkroute.store.remembered-peers", defaultValue = "100000") int peers,
            @ConfigProperty(name = "silkroute.routes.withdrawals.enabled", defaultValue = "false")
                    boolean tellWithdrawals) {
        this.bulk = bulk;
        this.low = low;
        kafka = access.with(Map.of());
        dimensions = new DimensionCache(peers);
        attributes = new AttributeSets(sets);
        this.tellWithdrawals = tellWithdrawals;
        FunctionCounter.builder("pgcopy.attribute.sets", attributes, AttributeSets::hits)
                .description("Attribute sets of route batches, by whether they were known to be in the database")
                .tag("known", "yes")
                .register(meters);
        FunctionCounter.builder("pgcopy.attribute.sets", attributes, AttributeSets::misses)
                .description("Attribute sets of route batches, by whether they were known to be in the database")
                .tag("known", "no")
                .register(meters);
    }

    /** For the {@code batchBytes} of the lanes' routes. */
    @Produces
    @Singleton
    @Named("kafkaBatches")
    @Unremovable
    static ComponentCustomizer batches() {
        return ComponentCustomizer.builder(KafkaComponent.class)
                .build(kafka -> kafka.setKafkaClientFactory(new LaneClientFactory()));
    }

    @Produces
    @Singleton
    @Named("history")
    @Unremovable
    RowSource<byte[]> history() {
        return new RouteRows(table -> new HistoryWriter(table, dimensions, attributes));
    }

    @Produces
    @Singleton
    @Named("currentState")
    @Unremovable
    RowSource<byte[]> currentState() {
        return new RouteRows(table -> new CurrentStateWriter(dimensions, attributes, tellWithdrawals));
    }

    @Produces
    @Singleton
    @Named("peers")
    @Unremovable
    RowSource<byte[]> peers() {
        return new JsonRows("bmp.apply_peer_events");
    }

    @Produces
    @Singleton
    @Named("stats")
    @Unremovable
    RowSource<byte[]> stats() {
        return new JsonRows("bmp.apply_statistics");
    }

    @Produces
    @Singleton
    @Named("mirror")
    @Unremovable
    RowSource<byte[]> mirror() {
        return new JsonRows("bmp.apply_mirror");
    }

    @Produces
    @Singleton
    @Named("quarantine")
    @Unremovable
    RowSource<byte[]> quarantine() {
        return new JsonRows("bmp.apply_quarantine");
    }

    @Produces
    @Singleton
    @Named("historyOffsets")
    @Unremovable
    DatabaseOffsets historyOffsets() {
        return new DatabaseOffsets("history", bulk, OFFSETS, kafka);
    }

    @Produces
    @Singleton
    @Named("currentOffsets")
    @Unremovable
    DatabaseOffsets currentOffsets() {
        return new DatabaseOffsets("current", bulk, OFFSETS, kafka);
    }

    @Produces
    @Singleton
    @Named("peersOffsets")
    @Unremovable
    DatabaseOffsets peersOffsets() {
        return new DatabaseOffsets("peers", low, OFFSETS, kafka);
    }

    @Produces
    @Singleton
    @Named("statsOffsets")
    @Unremovable
    DatabaseOffsets statsOffsets() {
        return new DatabaseOffsets("stats", low, OFFSETS, kafka);
    }

    @Produces
    @Singleton
    @Named("mirrorOffsets")
    @Unremovable
    DatabaseOffsets mirrorOffsets() {
        return new DatabaseOffsets("mirror", low, OFFSETS, kafka);
    }

    @Produces
    @Singleton
    @Named("quarantineOffsets")
    @Unremovable
    DatabaseOffsets quarantineOffsets() {
        return new DatabaseOffsets("quarantine", low, OFFSETS, kafka);
    }
}
