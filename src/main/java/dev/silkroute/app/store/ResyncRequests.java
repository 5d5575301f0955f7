package dev.silkroute.app.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;

/**
 * The bean that {@code recovery.camel.yaml} calls with the sessions that are to be ended so that their routers send
 * their tables again. It decides which of them are requested now.
 *
 * <p>A router of which records are missing may send a record that cannot be stored with each of its tables, so its
 * requests are repeated at growing intervals. A session that remains when the newest one of its router is over is
 * requested at once, and again only while it is not ended.
 */
@Singleton
@Named("resyncRequests")
@Metadata(
        description = "Requests tables again: its method due takes the rows of bmp.resync_candidate and returns the"
                + " requests that are due")
@Unremovable
public final class ResyncRequests {
    private static final Logger LOGGER = Logger.getLogger(ResyncRequests.class);
    private static final long FIRST_DELAY = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_DELAY = TimeUnit.HOURS.toNanos(6);

    private final ObjectMapper json = new ObjectMapper();
    private final AtomicLong incomplete = new AtomicLong();
    private final Map<Object, Request> requests = new HashMap<>();
    private final LongSupplier nanos;

    /** The last request for a router or a session. */
    private record Request(long at, long delay) {}

    /** A row of {@code resync_candidate}. */
    private record Candidate(String router, long session, boolean remaining) {
        static Candidate of(Map<String, Object> row) {
            long session = row.get("session_id") instanceof Number number ? number.longValue() : -1;
            return new Candidate(String.valueOf(row.get("router")), session, "remaining".equals(row.get("reason")));
        }

        /** Returns for what the intervals between requests count: the session's id, or the name of the router. */
        Object key() {
            return remaining ? (Object) session : router;
        }

        String reason() {
            return remaining
                    ? "the newest session of the router has ended, and later changes are unknown"
                    : "records of the session are missing in the database";
        }

        void log() {
            if (remaining) {
                LOGGER.infof(
                        "The newest session of router %s has ended: ending its session %d with another collector, so that"
                                + " it sends its tables in a new one",
                        router, session);
            } else {
                LOGGER.warnf(
                        "Records of router %s are missing, so its routes are stale: ending session %d, so that it"
                                + " sends its tables again",
                        router, session);
            }
        }
    }

    @Inject
    ResyncRequests(MeterRegistry meters) {
        this(System::nanoTime);
        new MeterGroup<>(meters, incomplete).gauge(Metric.INCOMPLETE_ROUTERS, AtomicLong::get);
    }

    /** @param nanos a monotonic clock */
    ResyncRequests(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns the number of connected routers of which records are missing. */
    long incompleteRouters() {
        return incomplete.get();
    }

    /**
     * @param rows of {@code resync_candidate}
     * @return requests that are due, as JSON
     */
    public synchronized List<byte[]> due(List<Map<String, Object>> rows) {
        List<Candidate> candidates = rows.stream().map(Candidate::of).toList();
        incomplete.set(
                candidates.stream().filter(candidate -> !candidate.remaining).count());
        long now = nanos.getAsLong();
        Set<Object> present = candidates.stream().map(Candidate::key).collect(Collectors.toSet());
        requests.entrySet()
                .removeIf(request -> request.getKey() instanceof Long
                        ? !present.contains(request.getKey())
                        : now - request.getValue().at > 2 * LONGEST_DELAY);
        List<byte[]> due = new ArrayList<>();
        for (Candidate candidate : candidates) {
            Request before = requests.get(candidate.key());
            if (before == null || now - before.at >= before.delay) {
                long delay = before == null ? FIRST_DELAY : Math.min(LONGEST_DELAY, 2 * before.delay);
                requests.put(candidate.key(), new Request(now, delay));
                candidate.log();
                due.add(request(candidate));
            }
        }
        return due;
    }

    private byte[] request(Candidate candidate) {
        return json.createObjectNode()
                .put("router", candidate.router)
                .put("session_id", candidate.session)
                .put("reason", candidate.reason())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
