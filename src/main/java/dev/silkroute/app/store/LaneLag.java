package dev.silkroute.app.store;

import dev.silkroute.component.pgcopy.KafkaLane;
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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Asks every now and then how far behind the lanes are, by their own places and not by what Kafka was told, for the gauge
 * {@code pgcopy_lag_records}. What it can't find out keeps its last value.
 */
@Singleton
final class LaneLag {
    private static final Logger LOGGER = Logger.getLogger(LaneLag.class);

    private final Instance<KafkaLane> lanes;
    private final MultiGauge gauge;
    private final Duration interval;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            work -> Thread.ofPlatform().daemon().name("silkroute-lag").unstarted(work));

    LaneLag(
            @Any Instance<KafkaLane> lanes,
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.writer.lag-interval", defaultValue = "15s") Duration interval) {
        this.lanes = lanes;
        this.interval = interval;
        gauge = MultiGauge.builder("pgcopy.lag.records")
                .description("Records of a partition that a lane has not stored yet")
                .register(meters);
    }

    void start(@Observes StartupEvent event) {
        thread.scheduleWithFixedDelay(this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        try {
            for (KafkaLane lane : lanes) {
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
            gauge.register(rows, true);
        } catch (SQLException | ExecutionException | RuntimeException e) {
            LOGGER.debugf("How far behind the lanes are could not be found out: %s", e.getMessage());
        }
    }

    @PreDestroy
    void stop() {
        thread.shutdownNow();
    }
}
