package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Timestamps;
import dev.silkroute.route.RouteBatch;
import java.io.IOException;

/**
 * The source of events.
 *
 * @param collector the collector's name, empty if it is not known
 * @param router the router's name, empty for events of the collector itself
 * @param routerAddress source address of the session, empty if it is not known
 * @param receivedAtMicros when the collector received the events, in microseconds since 1970
 */
public record EventSource(
        String collector, String router, String routerAddress, long sessionId, long receivedAtMicros) {
    static EventSource of(RouteBatch batch) {
        return new EventSource(
                batch.collector(), batch.router(), batch.routerAddress(), batch.sessionId(), batch.receivedAtMicros());
    }

    void write(JsonGenerator json) throws IOException {
        if (!collector.isEmpty()) {
            json.writeStringField("collector", collector);
        }
        if (!router.isEmpty()) {
            json.writeStringField("router", router);
            if (!routerAddress.isEmpty()) {
                json.writeStringField("router_address", routerAddress);
            }
        }
        json.writeNumberField("session_id", sessionId);
        json.writeStringField("received_at", Timestamps.text(receivedAtMicros));
    }
}
