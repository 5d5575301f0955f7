package dev.silkroute.app.store;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.maintenance.Maintenance;
import dev.silkroute.postgres.maintenance.MaintenanceSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;

/**
 * The bean that {@code maintenance.camel.yaml} calls: maintains the tables, on a connection of the default data
 * source.
 */
@Singleton
@Named("maintenance")
@Metadata(description = "Maintains the tables of PostgreSQL: its method run executes the steps that are due")
@Unremovable
public final class MaintenanceTask {
    private static final Logger LOGGER = Logger.getLogger(MaintenanceTask.class);
    /** The maximum number of steps in a run; the next run continues. */
    private static final int STEPS = 2000;

    private final Maintenance tables;

    MaintenanceTask(DataSource database, MeterRegistry meters, StationConfig config) {
        tables = new Maintenance(
                database,
                new MaintenanceSettings(
                        config.history().retention(),
                        config.history().snapshotInterval(),
                        config.history().closeAfter(),
                        config.statistics().retention(),
                        config.peerEvents().retention(),
                        config.mirror().retention(),
                        config.quarantine().retention(),
                        config.alerts().retention(),
                        config.history().indexAfter()),
                new Meters(meters));
    }

    public void run() throws SQLException {
        tables.run(STEPS);
    }

    /** Cancels the current step, which may take minutes. */
    void stop(@Observes CamelEvent.CamelContextStoppingEvent stopping) {
        try {
            tables.stop();
        } catch (SQLException e) {
            LOGGER.debugf("Maintenance could not be canceled: %s", e.toString());
        }
    }

    private record Meters(MeterRegistry registry) implements Maintenance.Listener {
        @Override
        public void done(String step, long nanos) {
            MeterGroup.timer(registry, Metric.MAINTENANCE_STEP_DURATION, "step", step)
                    .record(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void failed(String step, SQLException reason) {
            MeterGroup.counter(registry, Metric.MAINTENANCE_FAILURES, "step", step)
                    .increment();
            LOGGER.warnf("Maintenance failed in step %s and is retried by the next run: %s", step, reason.getMessage());
        }
    }
}
