package dev.silkroute.alert.record;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.KeyedHash;
import java.io.IOException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The subject of an alert. */
public sealed interface AlertSubject {
    /** Returns the prefix of the keys of its alerts. */
    String key();

    /** Returns the name of its router; empty if it is a prefix. */
    String router();

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
        } else if (json.has("rib_view")) {
            return OfTable.read(json);
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
        public String router() {
            return "";
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("prefix", prefix.toString());
        }
    }

    /** A monitored router. */
    record OfRouter(String router) implements AlertSubject {
        /** A router must not be able to choose names whose hashes are equal. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(0, router));
        }

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
        public String router() {
            return peer.router();
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("router", peer.router());
            json.writeStringField("peer_address", peer.peerAddress());
            json.writeNumberField("peer_asn", peer.peerAsn());
        }
    }

    /**
     * The table of a peer in one RIB view and family, or those of all peers of a router together.
     *
     * @param peer null for the tables of all peers together
     * @param family IPv4 or IPv6 unicast
     */
    record OfTable(String router, @Nullable VantagePoint peer, RibView view, int family)
            implements AlertSubject, Comparable<OfTable> {
        private static final Comparator<OfTable> ORDER = Comparator.comparing(OfTable::router)
                .thenComparing(OfTable::peer, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(OfTable::view)
                .thenComparingInt(OfTable::family);

        @Override
        public int compareTo(OfTable other) {
            return ORDER.compare(this, other);
        }

        public String peerAddress() {
            return peer == null ? "" : peer.peerAddress();
        }

        @Override
        public String key() {
            return "table " + view.text() + " " + Family.text(family) + " of "
                    + (peer == null ? "all peers" : "peer " + peer.peerAddress() + " AS" + peer.peerAsn()) + " of "
                    + router;
        }

        /** Returns the subject as the beginning of a sentence. */
        public String sentence() {
            return "the table " + view.text() + " " + Family.text(family)
                    + (peer == null ? "" : " of peer " + peer.peerAddress() + " (AS" + peer.peerAsn() + ")")
                    + " of router " + router;
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStringField("router", router);
            if (peer != null) {
                json.writeStringField("peer_address", peer.peerAddress());
                json.writeNumberField("peer_asn", peer.peerAsn());
            }
            json.writeStringField("rib_view", view.text());
            json.writeStringField("family", Family.text(family));
        }

        /** @throws IllegalArgumentException if a field is not valid */
        static OfTable read(JsonNode json) {
            String router = json.path("router").asText();
            VantagePoint peer = json.has("peer_address")
                    ? new VantagePoint(
                            router,
                            json.path("peer_address").asText(),
                            json.path("peer_asn").asLong())
                    : null;
            return new OfTable(
                    router,
                    peer,
                    view(json.path("rib_view").asText()),
                    family(json.path("family").asText()));
        }

        /** @throws IllegalArgumentException if no view has this name */
        public static RibView view(String text) {
            for (RibView view : RibView.values()) {
                if (view.text().equals(text)) {
                    return view;
                }
            }
            throw new IllegalArgumentException("'" + text
                    + "' is not adj-rib-in-pre, adj-rib-in-post, adj-rib-out-pre, adj-rib-out-post or loc-rib");
        }

        /** @throws IllegalArgumentException if the family is not one whose routes are counted */
        public static int family(String text) {
            for (int family : new int[] {Family.IPV4_UNICAST, Family.IPV6_UNICAST}) {
                if (Family.text(family).equals(text)) {
                    return family;
                }
            }
            throw new IllegalArgumentException("'" + text + "' is not ipv4-unicast or ipv6-unicast");
        }
    }
}
