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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;

/**
 * The bean that {@code recovery.camel.yaml} calls with the routers of which records are missing. It decides for which
 * of them their tables are requested now. A router may send a record that cannot be stored with each of its tables, so
 * requests are repeated at growing intervals.
 */
@Singleton
@Named("resyncRequests")
@Metadata(
        description = "Requests tables again: its method due takes the routers of which records are missing and"
                + " returns the requests that are due")
@Unremovable
public final class ResyncRequests {
    private static final Logger LOGGER = Logger.getLogger(ResyncRequests.class);
    private static final long FIRST_DELAY = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_DELAY = TimeUnit.HOURS.toNanos(6);

    private final ObjectMapper json = new ObjectMapper();
    private final AtomicLong incomplete = new AtomicLong();
    private final Map<String, Request> requests = new HashMap<>();
    private final LongSupplier nanos;

    /** The last request for a router. */
    private record Request(long at, long delay) {}

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
     * @param rows for each router of which records are missing and that is connected, its name and its session
     * @return requests that are due, as JSON
     */
    public synchronized List<byte[]> due(List<Map<String, Object>> rows) {
        incomplete.set(rows.size());
        long now = nanos.getAsLong();
        requests.values().removeIf(request -> now - request.at > 2 * LONGEST_DELAY);
        List<byte[]> due = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            String router = String.valueOf(row.get("router"));
            Request before = requests.get(router);
            if (before == null || now - before.at >= before.delay) {
                long delay = before == null ? FIRST_DELAY : Math.min(LONGEST_DELAY, 2 * before.delay);
                requests.put(router, new Request(now, delay));
                long session = row.get("session_id") instanceof Number number ? number.longValue() : -1;
                LOGGER.warnf(
                        "Records of router %s are missing, so its routes count as stale: session %d is ended, so that it"
                                + " sends its tables again",
                        router, session);
                due.add(request(router, session));
            }
        }
        return due;
    }

    private byte[] request(String router, long session) {
        return json.createObjectNode()
                .put("router", router)
                .put("session_id", session)
                .put("reason", "records of the session are missing in the database")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
