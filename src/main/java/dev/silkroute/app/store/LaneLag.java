package dev.silkroute.app.store;

import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.lane.DatabaseOffsets;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Asks every now and then how far behind the lanes are, by their own places and not by what Kafka was told, for the gauge
 * {@code pgcopy_lag_records}, which isn't there while that can't be found out.
 */
@Singleton
final class LaneLag {
    private final Instance<DatabaseOffsets> lanes;
    private final MultiGauge gauge;
    private final Duration interval;
    private final PeriodicTask refresh = new PeriodicTask("the lag of lanes", "silkroute-lag", this::look);

    LaneLag(
            @Any Instance<DatabaseOffsets> lanes,
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.writer.lag-interval", defaultValue = "15s") Duration interval) {
        this.lanes = lanes;
        this.interval = interval;
        gauge = MultiGauge.builder("pgcopy.lag.records")
                .description("Records of a partition that a lane has not stored yet")
                .register(meters);
    }

    void start(@Observes StartupEvent event) {
        refresh.start(interval);
    }

    private void look() throws SQLException, ExecutionException {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        try {
            for (DatabaseOffsets lane : lanes) {
                lane.lag()
                        .forEach((partition, records) -> rows.add(MultiGauge.Row.of(
                                Tags.of(
                                        "lane",
                                        lane.name(),
                                        "topic",
                                        partition.topic(),
                                        "partition",
                                        Integer.toString(partition.partition())),
                                records)));
            }
        } finally {
            gauge.register(rows, true);
        }
    }

    @PreDestroy
    void stop() {
        refresh.close();
    }
}
