package dev.silkroute.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.Timestamps;
import java.io.IOException;

/**
 * The event by which one vantage point contributes to an alert. Router, session and sequence identify the event in
 * {@code v_route_history}.
 *
 * @param event {@code announce}, {@code withdraw} or {@code end-of-rib}
 * @param asPath AS path as in {@code v_rib}; of a lost route, the last one
 * @param receivedAtMicros when the collector received the event, in microseconds since 1970
 */
record Evidence(
        VantagePoint vantagePoint,
        String ribView,
        IpPrefix prefix,
        String event,
        String asPath,
        long sessionId,
        long sequence,
        long receivedAtMicros) {
    static final String ANNOUNCE = "announce";
    static final String WITHDRAW = "withdraw";
    static final String END_OF_RIB = "end-of-rib";

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("router", vantagePoint.router());
        json.writeStringField("peer_address", vantagePoint.peerAddress());
        json.writeNumberField("peer_asn", vantagePoint.peerAsn());
        json.writeStringField("rib_view", ribView);
        json.writeStringField("prefix", prefix.toString());
        json.writeStringField("event", event);
        json.writeStringField("as_path", asPath);
        json.writeStringField("received_at", Timestamps.text(receivedAtMicros));
        json.writeNumberField("session_id", sessionId);
        json.writeNumberField("sequence", sequence);
        json.writeEndObject();
    }
}
