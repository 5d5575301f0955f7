package dev.silkroute.alert.record;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.Timestamps;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The event by which one vantage point contributes to an alert. Router, session and sequence identify the event of a
 * route in {@code v_route_history}, that of a peer in {@code v_peer_events}, a report in {@code v_stats}, and a
 * message that could not be decoded in {@code v_quarantine}.
 *
 * @param vantagePoint without address if the event is that of a router
 * @param ribView empty without prefix
 * @param prefix null if the event is not that of a route, or if the alert is about a table
 * @param event {@code announce}, {@code withdraw}, {@code end-of-rib}, {@code peer-up}, {@code peer-down}, {@code
 *     session-up}, {@code session-down}, {@code statistics} or {@code undecodable}
 * @param asPath AS path as in {@code v_rib}; of a lost route, the last one
 * @param sequence {@value #NO_SEQUENCE} if the event is that of a session
 * @param receivedAtMicros when the collector received the event, in microseconds since 1970
 */
public record Evidence(
        VantagePoint vantagePoint,
        String ribView,
        @Nullable IpPrefix prefix,
        String event,
        String asPath,
        long sessionId,
        long sequence,
        long receivedAtMicros) {
    public static final String ANNOUNCE = "announce";
    public static final String WITHDRAW = "withdraw";
    public static final String END_OF_RIB = "end-of-rib";
    public static final String PEER_UP = "peer-up";
    public static final String PEER_DOWN = "peer-down";
    public static final String SESSION_UP = "session-up";
    public static final String SESSION_DOWN = "session-down";
    public static final String STATISTICS = "statistics";
    public static final String UNDECODABLE = "undecodable";
    public static final long NO_SEQUENCE = -1;
    private static final String API = "/api/v1/";

    /** Returns the event of a peer, router or table. */
    public static Evidence of(
            VantagePoint vantagePoint, String event, long sessionId, long sequence, long receivedAtMicros) {
        return new Evidence(vantagePoint, "", null, event, "", sessionId, sequence, receivedAtMicros);
    }

    /** Returns the prefix of a route. */
    public IpPrefix routePrefix() {
        return Objects.requireNonNull(prefix);
    }

    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("router", vantagePoint.router());
        if (!vantagePoint.peerAddress().isEmpty()) {
            json.writeStringField("peer_address", vantagePoint.peerAddress());
            json.writeNumberField("peer_asn", vantagePoint.peerAsn());
        }
        if (prefix != null) {
            json.writeStringField("rib_view", ribView);
            json.writeStringField("prefix", prefix.toString());
        }
        json.writeStringField("event", event);
        if (prefix != null) {
            json.writeStringField("as_path", asPath);
        }
        json.writeStringField("received_at", Timestamps.text(receivedAtMicros));
        json.writeNumberField("session_id", sessionId);
        if (sequence != NO_SEQUENCE) {
            json.writeNumberField("sequence", sequence);
        }
        json.writeStringField("link", link());
        json.writeEndObject();
    }

    /** Returns the path of the REST API at which the event is, or the state of its peer or router after it. */
    private String link() {
        String time = Timestamps.text(receivedAtMicros);
        String router = "router=" + URLEncoder.encode(vantagePoint.router(), StandardCharsets.UTF_8);
        String peer = "&peer=" + URLEncoder.encode(vantagePoint.peerAddress(), StandardCharsets.UTF_8);
        if (prefix != null) {
            return API + "routes/history?prefix=" + URLEncoder.encode(prefix.toString(), StandardCharsets.UTF_8) + "&"
                    + router + peer + "&from=" + time + "&to=" + time;
        }
        if (event.equals(UNDECODABLE)) {
            return API + "quarantine?" + router + "&state=all&at=" + time;
        }
        return vantagePoint.peerAddress().isEmpty()
                ? API + "routers?" + router + "&at=" + time
                : API + "peers?" + router + peer + "&at=" + time;
    }

    public static Evidence read(JsonNode row) {
        return new Evidence(
                new VantagePoint(
                        row.path("router").asText(),
                        row.path("peer_address").asText(),
                        row.path("peer_asn").asLong()),
                row.path("rib_view").asText(),
                row.has("prefix") ? IpPrefix.parse(row.path("prefix").asText()) : null,
                row.path("event").asText(),
                row.path("as_path").asText(),
                row.path("session_id").asLong(),
                row.path("sequence").asLong(NO_SEQUENCE),
                micros(row, "received_at"));
    }

    public static long micros(JsonNode json, String field) {
        return ChronoUnit.MICROS.between(
                Instant.EPOCH, Instant.parse(json.path(field).asText()));
    }
}
