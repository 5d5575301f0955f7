package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.PeerType;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Hex;
import dev.silkroute.route.PeerEntry;
import java.io.IOException;

/**
 * The peer of an event, as text.
 *
 * @param type such as {@code global}
 * @param distinguisher sixteen hex digits
 * @param asn unsigned
 * @param ribView such as {@code adj-rib-in-pre}
 */
public record EventPeer(String type, String distinguisher, String address, long asn, String bgpId, String ribView) {
    static EventPeer of(PeerEntry peer) {
        return new EventPeer(
                PeerType.text(peer.peerType()),
                Hex.of(peer.distinguisher()),
                Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                Integer.toUnsignedLong(peer.asn()),
                Addresses.ipv4(peer.bgpId()),
                peer.view().text());
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStringField("peer_type", type);
        json.writeStringField("peer_distinguisher", distinguisher);
        json.writeStringField("peer_address", address);
        json.writeNumberField("peer_asn", asn);
        json.writeStringField("peer_bgp_id", bgpId);
        json.writeStringField("rib_view", ribView);
    }
}
