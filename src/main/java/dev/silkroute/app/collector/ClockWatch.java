package dev.silkroute.app.collector;

import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.ReadingPause;
import dev.silkroute.collector.transport.ReceiveClock;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Stops reading from all routers while the system clock is not plausible: messages would get receive times that are
 * wrong by years, and the database has no partitions for some of them.
 */
@Singleton
final class ClockWatch {
    private static final Logger LOGGER = Logger.getLogger(ClockWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final MemoryBudget reading;
    private final ReceiveClock clock;
    private final PeriodicTask checks = new PeriodicTask("the system clock", "silkroute-clock", this::check);

    @Inject
    ClockWatch(MemoryBudget reading) {
        this(reading, ReceiveClock.SYSTEM);
    }

    ClockWatch(MemoryBudget reading, ReceiveClock clock) {
        this.reading = reading;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event, MeterRegistry meters) {
        new MeterGroup<>(meters, clock).gauge(Metric.CLOCK_IMPLAUSIBLE, watched -> watched.isPlausible() ? 0 : 1);
        checks.start(INTERVAL);
    }

    void check() {
        boolean plausible = clock.isPlausible();
        boolean paused = reading.isPaused(ReadingPause.CLOCK);
        if (!plausible && !paused) {
            reading.pause(ReadingPause.CLOCK);
            LOGGER.errorf(
                    "Stopped reading from all routers: the system clock is at %s, which is not plausible. Set it; reading"
                            + " continues by itself",
                    clock.systemTime());
        } else if (plausible && paused) {
            reading.resume(ReadingPause.CLOCK);
            LOGGER.infof("Reading from routers again: the system clock is at %s", clock.systemTime());
        }
    }

    @PreDestroy
    void stop() {
        checks.close();
    }
}
