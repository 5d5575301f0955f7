package dev.silkroute.app.station;

import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.SetBackClock;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.Consumer;
import org.apache.camel.Route;
import org.apache.camel.component.timer.TimerConsumer;
import org.jboss.logging.Logger;

/**
 * Lets the timers of routes begin again when the system clock has been set back. Camel's timers wait for a time by this
 * clock, so a collector would not report that it is alive until the clock has caught up.
 */
@Singleton
final class TimerRoutes {
    private static final Logger LOGGER = Logger.getLogger(TimerRoutes.class);

    private final CamelContext camel;
    private final SetBackClock clock = new SetBackClock(Clock.systemUTC(), System::nanoTime, this::beginAgain);
    private final PeriodicTask checks = new PeriodicTask("the timers of routes", "silkroute-timers", clock::check);

    @Inject
    TimerRoutes(CamelContext camel) {
        this.camel = camel;
    }

    void start(@Observes StartupEvent event) {
        checks.start(SetBackClock.INTERVAL);
    }

    /** A timer that is to run a number of times counts the runs before, and a run in progress continues. */
    void beginAgain(Duration back) {
        int count = 0;
        for (Route route : camel.getRoutes()) {
            Consumer consumer = route.getConsumer();
            if (consumer instanceof TimerConsumer timer && timer.isStarted()) {
                timer.stop();
                timer.start();
                count++;
            }
        }
        LOGGER.infof(
                "The timers of %d routes begin again, because the clock has been set back by %d s",
                count, back.toSeconds());
    }

    @PreDestroy
    void stop() {
        checks.close();
    }
}
