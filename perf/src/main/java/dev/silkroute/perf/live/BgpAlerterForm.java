package dev.silkroute.perf.live;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Reads a message as BGPalerter's connector to RIS Live does: of an UPDATE, one element for each announced and each
 * withdrawn prefix, with the members that its monitors use.
 */
final class BgpAlerterForm {
    private BgpAlerterForm() {}

    /**
     * Returns the number of elements of a message.
     *
     * @throws IllegalArgumentException if a member is absent that BGPalerter needs
     */
    static int elements(JsonNode message) {
        JsonNode data = message.path("data");
        if (!data.path("type").asText().equals("UPDATE")) {
            return 0;
        }
        require(data.path("timestamp").isNumber(), "timestamp", message);
        require(data.path("peer").isTextual(), "peer", message);
        require(data.path("peer_asn").isTextual(), "peer_asn", message);
        int elements = 0;
        for (JsonNode announcement : data.path("announcements")) {
            require(data.path("path").isArray(), "path", message);
            require(announcement.path("next_hop").isTextual(), "next_hop", message);
            elements += prefixes(announcement.path("prefixes"), message);
        }
        return elements + prefixes(data.path("withdrawals"), message);
    }

    private static int prefixes(JsonNode prefixes, JsonNode message) {
        for (JsonNode prefix : prefixes) {
            require(prefix.isTextual() && prefix.asText().indexOf('/') > 0, "a prefix", message);
        }
        return prefixes.size();
    }

    private static void require(boolean present, String what, JsonNode message) {
        if (!present) {
            throw new IllegalArgumentException(what + " is absent: " + message);
        }
    }
}
