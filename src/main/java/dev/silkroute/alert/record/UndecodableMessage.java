package dev.silkroute.alert.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;

/**
 * A message that could not be decoded, as {@code bmp.quarantine} and {@code v_quarantine} identify it.
 *
 * @param peer of the message, without address if it has no per-peer header
 * @param receivedAtMicros when the collector received it, in microseconds since 1970
 */
public record UndecodableMessage(VantagePoint peer, long sessionId, long sequence, long receivedAtMicros) {
    /**
     * Returns the message of a record of {@code bmp.quarantine}.
     *
     * @throws IllegalArgumentException if a field is missing or not valid
     */
    public static UndecodableMessage read(JsonNode json) {
        if (json.path("router").asText().isEmpty() || !json.path("session_id").isNumber()) {
            throw new IllegalArgumentException("no router or session_id");
        }
        try {
            Evidence fields = Evidence.read(json);
            return new UndecodableMessage(
                    fields.vantagePoint(), fields.sessionId(), fields.sequence(), fields.receivedAtMicros());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("received_at is not a time", e);
        }
    }

    /** Returns whether a record of {@code bmp.quarantine} describes a message that was decoded again later. */
    public static boolean isRedecoded(JsonNode json) {
        return json.path("redecoded").asBoolean();
    }

    public String router() {
        return peer.router();
    }

    public Evidence evidence() {
        return Evidence.of(peer, Evidence.UNDECODABLE, sessionId, sequence, receivedAtMicros);
    }
}
