package dev.silkroute.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of an alert as a message of the stream: the fields of its record, and those that all messages have.
 *
 * @param routers the router that the alert is about, and those of its vantage points
 * @param peers the addresses of the peer that it is about, and of the vantage points
 * @param prefix null if it is not about a prefix
 * @param json the message; do not write to it
 */
record AlertMessage(
        Set<String> routers, Set<String> peers, @Nullable IpPrefix prefix, byte[] json) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MICROS_SCALE = 6;

    /** Returns the message of a record of {@code bmp.alerts}; empty if that is not valid. */
    static Optional<AlertMessage> of(byte[] bytes) {
        try {
            if (!(MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8)) instanceof ObjectNode alert)) {
                return Optional.empty();
            }
            Set<String> routers = new TreeSet<>();
            Set<String> peers = new TreeSet<>();
            add(alert, routers, peers);
            alert.path("evidence").forEach(row -> add(row, routers, peers));
            return Optional.of(new AlertMessage(
                    routers,
                    peers,
                    alert.has("prefix") ? IpPrefix.parse(alert.path("prefix").asText()) : null,
                    json(alert)));
        } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void add(JsonNode of, Set<String> routers, Set<String> peers) {
        if (of.has("router")) {
            routers.add(of.path("router").asText());
        }
        if (of.has("peer_address")) {
            peers.add(of.path("peer_address").asText());
        }
    }

    private static byte[] json(ObjectNode alert) throws JsonProcessingException {
        long changed = ChronoUnit.MICROS.between(
                Instant.EPOCH, Instant.parse(alert.path("changed_at").asText()));
        ObjectNode message = MAPPER.createObjectNode();
        message.put("timestamp", BigDecimal.valueOf(changed, MICROS_SCALE));
        message.put("type", MessageType.ALERT.name());
        if (alert.has("router")) {
            message.set("host", alert.path("router"));
        }
        message.setAll(alert);
        return MAPPER.writeValueAsBytes(message);
    }

    /** Returns whether a filter selects alerts, and this one. */
    boolean matches(LiveFilter filter) {
        return filter.type() == MessageType.ALERT
                && !filter.peersOnly()
                && (filter.router() == null || routers.contains(filter.router()))
                && (filter.peer() == null || peers.contains(address(filter.peer())))
                && (filter.prefix() == null || isSelected(filter, filter.prefix()));
    }

    private boolean isSelected(LiveFilter filter, IpPrefix selected) {
        IpPrefix own = prefix;
        return own != null
                && (own.equals(selected)
                        || filter.moreSpecific() && covers(selected, own)
                        || filter.lessSpecific() && covers(own, selected));
    }

    private static boolean covers(IpPrefix wide, IpPrefix narrow) {
        return wide.ipv6() == narrow.ipv6()
                && wide.length() <= narrow.length()
                && (wide.ipv6()
                        ? wide.high() == Addresses.maskHigh(narrow.high(), wide.length())
                                && wide.low() == Addresses.maskLow(narrow.low(), wide.length())
                        : (int) wide.low() == Addresses.maskIpv4((int) narrow.low(), wide.length()));
    }

    private static String address(IpPrefix peer) {
        return Addresses.text(peer.ipv6(), peer.high(), peer.low());
    }
}
