package dev.silkroute.route;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.KeyedHash;

/**
 * An entry of a record's peer table: a monitored peer in one RIB view, with the fields that distinguish its routes from
 * those of other peers (RFC 7854, Section 4.2).
 *
 * @param peerType 0 global, 1 RD, 2 local, 3 Loc-RIB; unassigned values as received
 * @param distinguisher the 8 bytes of the peer distinguisher; a route distinguisher only for peer type 1
 * @param ipv6 whether the address is IPv6
 * @param addressHigh upper half of an IPv6 address, 0 for IPv4
 * @param addressLow lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 * @param asn AS number, unsigned
 * @param bgpId BGP identifier
 * @param view the RIB view
 */
public record PeerEntry(
        int peerType,
        long distinguisher,
        boolean ipv6,
        long addressHigh,
        long addressLow,
        int asn,
        int bgpId,
        RibView view) {
    private static final int RD = 1;

    /** Returns whether the peer is one of a VRF (peer type RD). */
    public boolean isOfVrf() {
        return peerType == RD;
    }

    /** A router must not be able to choose peers whose hashes are equal. */
    @Override
    public int hashCode() {
        long numbers = KeyedHash.of((long) asn << 32 ^ bgpId & 0xFFFFFFFFL, peerType << 8 ^ view.code());
        return KeyedHash.fold(KeyedHash.of(addressHigh, addressLow, distinguisher, numbers));
    }
}
