package dev.silkroute.app.store;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.GaugeRows;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.Metric;
import dev.silkroute.component.lane.LaneEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
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
    private final GaugeRows<Tags, Long> gauge;
    private final Duration interval;
    private final PeriodicTask refresh = new PeriodicTask("the lag of the lanes", "silkroute-lag", this::measure);

    LaneLag(CamelContext camel, MeterRegistry meters, StationConfig config) {
        this.camel = camel;
        interval = config.writer().lagInterval();
        gauge = new GaugeRows<>(meters, Metric.LANE_LAG, Function.identity(), Long::doubleValue);
    }

    void start(@Observes StartupEvent event) {
        refresh.start(interval);
    }

    private void measure() throws SQLException, ExecutionException {
        Map<Tags, Long> lags = new HashMap<>();
        try {
            for (Route route : camel.getRoutes()) {
                if (route.getEndpoint() instanceof LaneEndpoint lane) {
                    lane.lag().forEach((partition, records) -> lags.put(tags(lane, partition), records));
                }
            }
        } finally {
            gauge.set(lags);
        }
    }

    private static Tags tags(LaneEndpoint lane, TopicPartition partition) {
        return Tags.of(
                "lane",
                lane.getConfiguration().getLane(),
                "topic",
                partition.topic(),
                "partition",
                Integer.toString(partition.partition()));
    }

    @PreDestroy
    void stop() {
        refresh.close();
    }
}
