package dev.silkroute.digest;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.KeyedHash;

/**
 * Identifies a table: the routes of one family that a peer has in one view. The same on all stations that know the
 * router by the same name.
 *
 * @param router identity of the monitored router
 * @param peerType as in {@link dev.silkroute.bgp.PeerType}
 * @param distinguisher the 8 bytes of the peer distinguisher
 * @param address the peer's address in canonical form
 * @param bgpId BGP identifier, read unsigned
 * @param family AFI and SAFI, see {@link Family}
 */
public record TableName(
        String router, int peerType, long distinguisher, String address, int bgpId, RibView view, int family) {
    /** A router must not be able to choose tables whose hashes are equal. */
    @Override
    public int hashCode() {
        long table = (long) family << 32 ^ (long) peerType << 8 ^ view.code();
        long numbers = KeyedHash.of(distinguisher, (long) bgpId << 32 ^ table);
        return KeyedHash.fold(KeyedHash.of(KeyedHash.of(numbers, address), router));
    }

    @Override
    public String toString() {
        return String.join(
                " ",
                router,
                Integer.toString(peerType),
                Hex.of(distinguisher),
                address,
                Integer.toUnsignedString(bgpId),
                view.text(),
                Family.text(family));
    }
}
