package dev.silkroute.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.route.PeerEntry;

/**
 * A monitored peer without its view. Peers that differ only by BGP ID are different peers.
 *
 * @param router identity of the monitored router
 * @param peerType 0 global, 1 RD, 2 local, 3 Loc-RIB; others as received (RFC 7854, Section 4.2)
 * @param distinguisher the 8 bytes of the peer distinguisher
 * @param addressHigh upper half of an IPv6 address, 0 for IPv4
 * @param addressLow lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 * @param bgpId BGP identifier, read unsigned
 */
public record RibPeer(
        String router, int peerType, long distinguisher, boolean ipv6, long addressHigh, long addressLow, int bgpId) {

    /** The peer of an entry in a batch's peer table. */
    public static RibPeer of(String router, PeerEntry entry) {
        return new RibPeer(
                router,
                entry.peerType(),
                entry.distinguisher(),
                entry.ipv6(),
                entry.addressHigh(),
                entry.addressLow(),
                entry.bgpId());
    }

    /** A router must not be able to choose peers whose hashes are equal. */
    @Override
    public int hashCode() {
        long peer = (long) bgpId << 32 ^ peerType;
        return KeyedHash.fold(KeyedHash.of(KeyedHash.of(addressHigh, addressLow, distinguisher, peer), router));
    }

    /** The peer's address in canonical form. */
    public String address() {
        return Addresses.text(ipv6, addressHigh, addressLow);
    }
}
