package dev.silkroute.app.collector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.collector.sessions.SessionRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The bean that {@code collector.camel.yaml} calls with the records of {@code bmp.resync}: JSON objects with {@code
 * router} or {@code collector}, {@code session_id} and {@code reason}. BMP has no message by which a station could
 * request a router's tables, so the session is ended, and the router sends them in the next one. Requests are repeated
 * until they have had an effect; those about earlier sessions have none.
 */
@Singleton
@Named("sessionResync")
@Metadata(description = "Ends sessions of this collector: its method end takes a request of bmp.resync")
@Unremovable
public final class SessionResync {
    private static final Logger LOGGER = Logger.getLogger(SessionResync.class);

    private final ObjectMapper json = new ObjectMapper();
    private final SessionRegistry sessions;

    SessionResync(SessionRegistry sessions) {
        this.sessions = sessions;
    }

    /** Ends the sessions that requests are about, if this collector has them. */
    public void end(List<Exchange> requests) {
        for (Exchange request : requests) {
            end(request.getMessage().getBody(byte[].class));
        }
    }

    void end(byte[] request) {
        JsonNode object;
        try {
            object = json.readTree(request);
        } catch (IOException e) {
            LOGGER.warnf("Ignored a record of the topic of requests that is not JSON: %s", e.getMessage());
            return;
        }
        String router = text(object, "router");
        String collector = text(object, "collector");
        String reason = text(object, "reason");
        if (router != null || collector != null) {
            sessions.end(
                    router,
                    collector,
                    object.path("session_id").asLong(-1),
                    reason == null ? "the router is to send its tables again" : reason);
        }
    }

    private static @Nullable String text(JsonNode object, String name) {
        return object.path(name).isTextual() ? object.path(name).asText() : null;
    }
}
