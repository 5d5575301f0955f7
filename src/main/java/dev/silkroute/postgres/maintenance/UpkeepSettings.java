package dev.silkroute.postgres.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long what is kept. A length of time of zero: for ever.
 *
 * @param history announcements and withdrawals; at least so long, up to {@code baseEvery} longer
 * @param baseEvery how often at least all routes are kept as a base, where a quarter of {@code history} isn't more often
 * @param closeAfter how long after its end (midnight, UTC) a day's partition counts as complete
 */
public record UpkeepSettings(
        Duration history,
        Duration baseEvery,
        Duration closeAfter,
        Duration statistics,
        Duration peerEvents,
        Duration mirror,
        Duration quarantine) {
    /** In the order of the parameters of {@code bmp.next_maintenance_step}; null for ever. */
    List<@Nullable String> intervals() {
        List<@Nullable String> intervals = new ArrayList<>();
        intervals.add(kept(history));
        intervals.add(baseEvery.toString());
        intervals.add(closeAfter.toString());
        for (Duration duration : List.of(statistics, peerEvents, mirror, quarantine)) {
            intervals.add(kept(duration));
        }
        return intervals;
    }

    /** ISO 8601, which PostgreSQL reads. */
    private static @Nullable String kept(Duration duration) {
        return duration.isZero() ? null : duration.toString();
    }
}
