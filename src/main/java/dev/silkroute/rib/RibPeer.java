package dev.silkroute.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.route.PeerEntry;

/**
 * A monitored peer as the key of its routes needs it, without the view: two peers that differ only by BGP ID are two.
 *
 * @param router identity of the monitored router
 * @param peerType 0 global, 1 RD, 2 local, 3 Loc-RIB; others as they came
 * @param distinguisher the 8 bytes of the peer distinguisher
 * @param addressHigh upper half of an IPv6 address, 0 for IPv4
 * @param addressLow lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 */
public record RibPeer(
        String router, int peerType, long distinguisher, boolean ipv6, long addressHigh, long addressLow, int bgpId) {

    /** The peer that an entry of a batch's peer table speaks of. */
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

    /** Of what mostly differs; for a record's own there are more fields than a lookup has time for. */
    @Override
    public int hashCode() {
        return router.hashCode()
                + 31 * Long.hashCode((addressHigh ^ distinguisher) * 0x9E3779B97F4A7C15L + addressLow)
                + 961 * (bgpId + peerType);
    }

    /** The peer's address as text. */
    public String address() {
        return Addresses.text(ipv6, addressHigh, addressLow);
    }
}
