package dev.silkroute.session;

import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;

/**
 * The start of a collector. Its records end all sessions of collectors of this name with smaller ids, including those
 * that ended together with their collector, which could not report it.
 *
 * @param collector name of the collector
 * @param sessionId taken at the start from the same growing ids as those of its sessions
 * @param micros time of the start, microseconds since 1970
 */
public record CollectorStart(String collector, long sessionId, long micros) {
    /** Returns the start as a record of {@code bmp.routes}. */
    public byte[] routes() {
        RouteBatchBuilder batch = new RouteBatchBuilder();
        batch.begin(collector, "", "", sessionId, micros);
        batch.event(EventKind.COLLECTOR_START, -1, 0, false, 0, 0);
        return batch.build();
    }

    /** Returns the start as a record of {@code bmp.peers}, which a collector repeats while it runs. */
    public byte[] peers() {
        return peers(false);
    }

    /** Returns the record with which a writer reports that the collector is unavailable. */
    public byte[] peersOfUnavailable() {
        return peers(true);
    }

    private byte[] peers(boolean unavailable) {
        return RecordWriter.object(json -> {
            json.writeStringField("event", "collector-start");
            json.writeStringField("collector", collector);
            json.writeNumberField("session_id", sessionId);
            json.writeNumberField("sequence", 0);
            json.writeStringField("received_at", RecordWriter.time(micros));
            if (unavailable) {
                json.writeBooleanField("unavailable", true);
            }
        });
    }
}
