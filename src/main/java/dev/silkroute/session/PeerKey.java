package dev.silkroute.session;

import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.KeyedHash;

/**
 * The fields by which Peer Up and Peer Down are matched: peer type, distinguisher and address (RFC 7854, Section 4.10).
 */
record PeerKey(int peerType, long distinguisher, boolean ipv6, long addressHigh, long addressLow) {
    static PeerKey of(PerPeerHeader header) {
        return new PeerKey(
                header.peerType(), header.distinguisher(), header.ipv6(), header.addressHigh(), header.addressLow());
    }

    /** A router must not be able to choose peers whose hashes are equal. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(addressHigh, addressLow, distinguisher, peerType));
    }

    boolean matches(PerPeerHeader header) {
        return addressLow == header.addressLow()
                && addressHigh == header.addressHigh()
                && distinguisher == header.distinguisher()
                && peerType == header.peerType()
                && ipv6 == header.ipv6();
    }
}
