package dev.silkroute.session;

import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.Map;

/**
 * The start of a collector. What it says: sessions of collectors of its name with a smaller id are over, also those that ended with
 * their collector and couldn't say so.
 *
 * @param collector its name
 * @param sessionId taken when it started, from the same growing numbers as those of its sessions
 * @param micros when that was, microseconds since 1970
 */
public record CollectorStart(String collector, long sessionId, long micros) {
    /** As a record of {@code bmp.routes}. */
    public byte[] routes() {
        RouteBatchBuilder batch = new RouteBatchBuilder();
        batch.begin(collector, "", "", sessionId, micros);
        batch.event(EventKind.COLLECTOR_START, -1, 0, false, 0, 0);
        return batch.build();
    }

    /** As a record of {@code bmp.peers}. */
    public Map<String, Object> peers() {
        return Map.of(
                "event",
                "collector-start",
                "collector",
                collector,
                "session_id",
                sessionId,
                "sequence",
                0,
                "received_at",
                Records.time(micros));
    }
}
