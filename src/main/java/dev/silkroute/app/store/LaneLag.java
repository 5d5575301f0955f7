package dev.silkroute.app.store;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.component.lane.LaneEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.kafka.common.TopicPartition;

/**
 * Measures at an interval how far the lanes are behind, by their own offsets and not by those committed to Kafka, for
 * the gauge {@code silkroute_lane_lag_records}. The gauge is absent while Kafka or the database is unavailable.
 */
@Singleton
final class LaneLag {
    private final CamelContext camel;
    private final MultiGauge gauge;
    private final Duration interval;
    private final PeriodicTask refresh = new PeriodicTask("the lag of the lanes", "silkroute-lag", this::measure);

    LaneLag(CamelContext camel, MeterRegistry meters, StationConfig config) {
        this.camel = camel;
        interval = config.writer().lagInterval();
        gauge = MeterGroup.multiGauge(meters, Metric.LANE_LAG);
    }

    void start(@Observes StartupEvent event) {
        refresh.start(interval);
    }

    private void measure() throws SQLException, ExecutionException {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        try {
            for (Route route : camel.getRoutes()) {
                if (route.getEndpoint() instanceof LaneEndpoint lane) {
                    lane.lag().forEach((partition, records) -> rows.add(row(lane, partition, records)));
                }
            }
        } finally {
            gauge.register(rows, true);
        }
    }

    private static MultiGauge.Row<?> row(LaneEndpoint lane, TopicPartition partition, long records) {
        return MultiGauge.Row.of(
                Tags.of(
                        "lane",
                        lane.getConfiguration().getLane(),
                        "topic",
                        partition.topic(),
                        "partition",
                        Integer.toString(partition.partition())),
                records);
    }

    @PreDestroy
    void stop() {
        refresh.close();
    }
}
