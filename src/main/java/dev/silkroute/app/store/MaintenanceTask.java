package dev.silkroute.app.store;

import dev.silkroute.postgres.maintenance.Upkeep;
import dev.silkroute.postgres.maintenance.UpkeepSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.spi.CamelEvent;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** What {@code maintenance.camel.yaml} calls: the upkeep of the tables, a connection of the default datasource while it does something. */
@Singleton
@Named("maintenance")
@Unremovable
public final class MaintenanceTask {
    private static final Logger LOGGER = Logger.getLogger(MaintenanceTask.class);
    /** Of one run: slices are small, and the next run goes on. */
    private static final int STEPS = 2000;

    private final Upkeep upkeep;

    MaintenanceTask(
            DataSource database,
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.history.retention", defaultValue = "30d") Duration history,
            @ConfigProperty(name = "silkroute.history.base-every", defaultValue = "7d") Duration baseEvery,
            @ConfigProperty(name = "silkroute.history.close-after", defaultValue = "1h") Duration closeAfter,
            @ConfigProperty(name = "silkroute.statistics.retention", defaultValue = "30d") Duration statistics,
            @ConfigProperty(name = "silkroute.peer-events.retention", defaultValue = "400d") Duration peerEvents,
            @ConfigProperty(name = "silkroute.mirror.retention", defaultValue = "7d") Duration mirror,
            @ConfigProperty(name = "silkroute.quarantine.retention", defaultValue = "90d") Duration quarantine) {
        upkeep = new Upkeep(
                database,
                new UpkeepSettings(history, baseEvery, closeAfter, statistics, peerEvents, mirror, quarantine),
                new Meters(meters));
    }

    public void run() throws SQLException {
        upkeep.run(STEPS);
    }

    /** A step may take minutes, a stop may not. */
    void stop(@Observes CamelEvent.CamelContextStoppingEvent stopping) {
        try {
            upkeep.stop();
        } catch (SQLException e) {
            LOGGER.debugf("Could not cancel upkeep: %s", e.toString());
        }
    }

    private record Meters(MeterRegistry registry) implements Upkeep.Listener {
        @Override
        public void done(String step, long nanos) {
            registry.timer("maintenance.steps", "step", step).record(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void failed(String step, SQLException reason) {
            registry.counter("maintenance.failures", "step", step).increment();
            LOGGER.warnf("Upkeep, step %s: %s; the next run tries again", step, reason.getMessage());
        }
    }
}
