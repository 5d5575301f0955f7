package dev.silkroute.app.rpki;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stores the versions of the VRPs that a writer uses, so that {@code bmp.rpki_validity} can validate routes as of a
 * time. Of several writers with one database, one stores its versions; another one takes over when it has stopped.
 *
 * <p>A version that cannot be stored is retried, with the time of its first use. If a newer one follows meanwhile, only
 * that is stored.
 */
@Singleton
final class VrpHistory {
    private static final Logger LOGGER = Logger.getLogger(VrpHistory.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

    private final boolean enabled;
    private final VrpStore store;
    private final Counter announced;
    private final Counter withdrawn;
    private final Counter purged;
    private final Counter failures;
    private @Nullable VrpsInUse used;
    private boolean stored;
    private boolean failed;
    private Instant nextAttempt = Instant.EPOCH;
    private Instant nextPurge = Instant.EPOCH;
    private volatile long rows;
    private @Nullable PeriodicTask task;

    @Inject
    VrpHistory(DataSource database, StationConfig config, MeterRegistry meters) {
        var settings = config.rpki().versions();
        enabled = settings.enabled() && config.roles().has(Role.WRITER);
        store = new VrpStore(database, settings.retention(), settings.maxWithdrawn());
        announced = MeterGroup.counter(meters, Metric.RPKI_HISTORY_CHANGES, "change", "announced");
        withdrawn = MeterGroup.counter(meters, Metric.RPKI_HISTORY_CHANGES, "change", "withdrawn");
        purged = MeterGroup.counter(meters, Metric.RPKI_HISTORY_PURGED);
        failures = MeterGroup.counter(meters, Metric.RPKI_HISTORY_FAILURES);
        new MeterGroup<>(meters, this).gauge(Metric.RPKI_HISTORY_ROWS, history -> history.rows);
    }

    /** Begins to store versions, on a thread of its own. */
    void start(Supplier<VrpsInUse> vrps) {
        if (enabled) {
            task = new PeriodicTask("the history of VRPs", "rpki-history", () -> update(vrps.get(), Instant.now()));
            task.start(INTERVAL);
        }
    }

    boolean isRunning() {
        return task != null;
    }

    /** Stores the VRPs in use if they are new, and deletes old ones at an interval. For one thread. */
    synchronized void update(VrpsInUse vrps, Instant now) {
        if (used == null || vrps.table() != used.table()) {
            used = vrps;
            stored = false;
            nextAttempt = failed ? nextAttempt : now;
        }
        boolean purgeDue = stored && !now.isBefore(nextPurge);
        if (now.isBefore(nextAttempt) || (stored && !purgeDue)) {
            return;
        }
        nextAttempt = now.plus(RETRY);
        try {
            if (store.takeOver()) {
                store(used, purgeDue, now);
            }
            failed = false;
        } catch (SQLException | RuntimeException e) {
            failures.increment();
            if (!failed) {
                LOGGER.warnf(
                        "The VRPs in use since %s are not stored and validity at later times is not known yet, retried every"
                                + " %d s: %s",
                        used.since(), RETRY.toSeconds(), e.getMessage());
            }
            failed = true;
            stored = false;
        }
        rows = store.rows();
    }

    private void store(VrpsInUse vrps, boolean purgeDue, Instant now) throws SQLException {
        VrpStore.Changes changes = store.store(vrps.table(), vrps.since());
        if (changes.announced() > 0 || changes.withdrawn() > 0) {
            announced.increment(changes.announced());
            withdrawn.increment(changes.withdrawn());
            purged.increment(changes.purged());
            LOGGER.debugf("Stored %d announced and %d withdrawn VRPs", changes.announced(), changes.withdrawn());
        }
        stored = true;
        if (purgeDue) {
            purged.increment(store.purge());
            nextPurge = now.plus(PURGE_INTERVAL);
        }
        if (vrps.table().size() == 0) {
            store.close(); // another writer may have VRPs
        }
    }

    @PreDestroy
    synchronized void stop() {
        if (task != null) {
            task.close();
        }
        store.close();
    }
}
