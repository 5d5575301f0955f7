package dev.silkroute.app.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.bmp.LaneRecords;
import dev.silkroute.component.lane.LaneEndpoint;
import dev.silkroute.component.lane.LaneProgress;
import dev.silkroute.session.CollectorStart;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.spi.Metadata;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * The bean that {@code recovery.camel.yaml} calls with the collectors. One that has not reported for a time is
 * unavailable: what its next start would report is reported in its place, so that its routers become stale everywhere.
 * If it was only cut off, its sessions continue, but count as ended; it is requested to end them, so that its routers
 * begin new ones.
 *
 * <p>Time counts only while this station has stored everything that the topic of peers contains. Reports that wait in
 * Kafka, or that Kafka could not take, do not make a collector unavailable.
 */
@Singleton
@Named("collectorWatch")
@Metadata(
        description = "Finds collectors that have not reported for a time: its method check takes the rows of"
                + " bmp.collector_report and returns the records that end their sessions")
@Unremovable
public final class CollectorWatch {
    private static final Logger LOGGER = Logger.getLogger(CollectorWatch.class);
    private static final String LANE = "peers";

    /** Checks that are further apart than this, and than a quarter of the time-out, leave out the time between them. */
    private static final long LONGEST_GAP_NANOS = Duration.ofSeconds(15).toNanos();

    private final CamelContext camel;
    private final long timeoutNanos;
    private final BooleanSupplier upToDate;
    private final LongSupplier nanos;
    private final Map<String, Report> reports = new HashMap<>();
    private final Map<String, Long> requests = new HashMap<>();
    private final ObjectMapper json = new ObjectMapper();
    private long upToDateSince;
    private long lastCheck;

    /** The last report of a collector and when this station has first seen it. */
    private record Report(String at, long seen) {}

    @Inject
    CollectorWatch(CamelContext camel, StationConfig config) {
        this(camel, config.writer().collectorTimeout(), new Stored(camel), System::nanoTime);
    }

    /**
     * @param upToDate returns whether everything in the topic of peers is stored
     * @param nanos a monotonic clock
     */
    CollectorWatch(CamelContext camel, Duration timeout, BooleanSupplier upToDate, LongSupplier nanos) {
        this.camel = camel;
        this.timeoutNanos = timeout.toNanos();
        this.upToDate = upToDate;
        this.nanos = nanos;
        upToDateSince = nanos.getAsLong();
        lastCheck = upToDateSince;
    }

    /** Reports whether the lane of peers has stored everything that its topic contained at the previous call. */
    private static final class Stored implements BooleanSupplier {
        private final CamelContext camel;
        private Map<TopicPartition, LaneProgress> before = Map.of();

        private Stored(CamelContext camel) {
            this.camel = camel;
        }

        @Override
        public boolean getAsBoolean() {
            try {
                for (Route route : camel.getRoutes()) {
                    if (route.getEndpoint() instanceof LaneEndpoint lane
                            && lane.getConfiguration().getLane().equals(LANE)) {
                        return isStored(lane.progress());
                    }
                }
            } catch (SQLException | ExecutionException e) {
                before = Map.of();
            }
            return false;
        }

        private boolean isStored(Map<TopicPartition, LaneProgress> now) {
            boolean stored = !before.isEmpty()
                    && now.keySet().equals(before.keySet())
                    && now.entrySet().stream()
                            .allMatch(partition -> partition.getValue().next()
                                    >= before.getOrDefault(partition.getKey(), partition.getValue())
                                            .end());
            before = now;
            return stored;
        }
    }

    /**
     * @param collectors rows of {@code bmp.collector_report}
     * @return records of the lanes routes, peers and resync. Those of an unavailable collector must be sent in order:
     *     after that of peers they are not repeated
     */
    public synchronized LaneRecords check(List<Map<String, Object>> collectors) {
        long now = nanos.getAsLong();
        if (!upToDate.getAsBoolean() || now - lastCheck > Math.max(LONGEST_GAP_NANOS, timeoutNanos / 4)) {
            upToDateSince = now;
        }
        lastCheck = now;
        LaneRecords records = new LaneRecords(camel);
        for (Map<String, Object> row : collectors) {
            String name = String.valueOf(row.get("name"));
            String at = String.valueOf(row.get("alive_at"));
            Report report = reports.get(name);
            if (report == null || !report.at.equals(at)) {
                report = new Report(at, now);
                reports.put(name, report);
            }
            long silent = now - (report.seen - upToDateSince > 0 ? report.seen : upToDateSince);
            if (silent > timeoutNanos) {
                // A collector that has never repeated its report is of a version that does not
                if (row.get("alive_session_id") != null && row.get("newest_session") instanceof Number newest) {
                    addUnavailable(records, name, newest.longValue(), silent);
                }
            } else {
                addReturned(records, name, row);
            }
        }
        return records;
    }

    private void addUnavailable(LaneRecords records, String name, long newest, long silentNanos) {
        LOGGER.errorf(
                "Collector %s has not reported for %d s: its sessions count as lost and the routes of its routers as stale",
                name, Duration.ofNanos(silentNanos).toSeconds());
        CollectorStart start =
                new CollectorStart(name, newest + 1, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        records.add("routes", name, start.routes());
        records.add("peers", name, start.peersOfUnavailable());
    }

    /** The collector reports an earlier start than the one that was reported in its place. */
    private void addReturned(LaneRecords records, String name, Map<String, Object> row) {
        long declared = row.get("session_id") instanceof Number number ? number.longValue() : 0;
        if (!(row.get("alive_session_id") instanceof Number alive) || alive.longValue() >= declared) {
            requests.remove(name);
            return;
        }
        if (!Objects.equals(requests.put(name, declared), declared)) {
            records.add(
                    "resync",
                    name,
                    json.createObjectNode()
                            .put("collector", name)
                            .put("session_id", declared)
                            .put("reason", "the collector was unreachable, so the session counts as lost")
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
        }
    }
}
