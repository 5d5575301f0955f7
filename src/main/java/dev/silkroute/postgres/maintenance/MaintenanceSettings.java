package dev.silkroute.postgres.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Retention times and intervals. A retention of zero keeps rows for ever.
 *
 * @param history retention of announcements and withdrawals, which are kept up to {@code snapshotEvery} longer
 * @param snapshotEvery the maximum time between two snapshots of all routes, unless a quarter of {@code history} is
 *     shorter
 * @param closeAfter how long after its end (midnight, UTC) a day's partition counts as complete
 * @param statistics retention of Statistics Reports
 * @param peerEvents retention of peer and session events
 * @param mirror retention of mirrored messages
 * @param quarantine retention of quarantined input
 * @param alerts retention of closed alerts
 * @param indexAfter the number of events of an open day after which its index is built (again); zero for no index
 */
public record MaintenanceSettings(
        Duration history,
        Duration snapshotEvery,
        Duration closeAfter,
        Duration statistics,
        Duration peerEvents,
        Duration mirror,
        Duration quarantine,
        Duration alerts,
        long indexAfter) {
    /** The values in the order of the parameters of {@code bmp.next_maintenance_step}; null keeps for ever. */
    List<@Nullable Object> parameters() {
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(kept(history));
        parameters.add(snapshotEvery.toString());
        parameters.add(closeAfter.toString());
        for (Duration duration : List.of(statistics, peerEvents, mirror, quarantine, alerts)) {
            parameters.add(kept(duration));
        }
        parameters.add(indexAfter == 0 ? null : indexAfter);
        return parameters;
    }

    /** ISO 8601, which PostgreSQL accepts. */
    private static @Nullable String kept(Duration duration) {
        return duration.isZero() ? null : duration.toString();
    }
}
