package dev.silkroute.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;

/** The subject of an alert. */
sealed interface AlertSubject {
    /** Returns what the keys of its alerts begin with. */
    String key();

    /** Writes the fields of a record that name the subject. */
    void write(JsonGenerator json) throws IOException;

    /**
     * Returns the subject of a record.
     *
     * @throws IllegalArgumentException if the record has no fields that name one
     */
    static AlertSubject read(JsonNode json) {
        if (json.has("prefix")) {
            return new OfPrefix(IpPrefix.parse(json.path("prefix").asText()));
        } else if (json.has("peer_address")) {
            return new OfPeer(new VantagePoint(
                    json.path("router").asText(),
                    json.path("peer_address").asText(),
                    json.path("peer_asn").asLong()));
        } else if (json.has("router")) {
            return new OfRouter(json.path("router").asText());
        }
        throw new IllegalArgumentException("neither a prefix nor a router");
    }

    /** A prefix. */
    record OfPrefix(IpPrefix prefix) implements AlertSubject {
        @Override
        public String key() {
            return prefix.toString();
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("prefix", prefix.toString());
        }
    }

    /** A monitored router. */
    record OfRouter(String router) implements AlertSubject {
        @Override
        public String key() {
            return "router " + router;
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("router", router);
        }
    }

    /** A peer of a router, in all of its RIB views. */
    record OfPeer(VantagePoint peer) implements AlertSubject {
        @Override
        public String key() {
            return "peer " + peer.peerAddress() + " AS" + peer.peerAsn() + " of " + peer.router();
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("router", peer.router());
            json.writeStringField("peer_address", peer.peerAddress());
            json.writeNumberField("peer_asn", peer.peerAsn());
        }
    }
}
