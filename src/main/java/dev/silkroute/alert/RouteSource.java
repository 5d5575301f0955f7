package dev.silkroute.alert;

import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.net.Addresses;
import dev.silkroute.route.PeerEntry;
import java.util.Comparator;

/**
 * Identifies one of the routes of a prefix. Sorted, so that evidence has an order, and so that a router cannot slow
 * down lookups by its choice of path identifiers.
 *
 * @param pathId unsigned, {@value #NO_PATH_ID} without path identifier
 */
record RouteSource(String router, PeerEntry peer, long pathId) implements Comparable<RouteSource> {
    static final long NO_PATH_ID = -1;

    private static final Comparator<PeerEntry> PEERS = Comparator.comparing(PeerEntry::view)
            .thenComparingInt(PeerEntry::peerType)
            .thenComparingLong(PeerEntry::distinguisher)
            .thenComparing(PeerEntry::ipv6)
            .thenComparing(PeerEntry::addressHigh, Long::compareUnsigned)
            .thenComparing(PeerEntry::addressLow, Long::compareUnsigned)
            .thenComparing(PeerEntry::asn, Integer::compareUnsigned)
            .thenComparing(PeerEntry::bgpId, Integer::compareUnsigned);
    private static final Comparator<RouteSource> ORDER = Comparator.comparing(RouteSource::router)
            .thenComparing(RouteSource::peer, PEERS)
            .thenComparingLong(RouteSource::pathId);

    @Override
    public int compareTo(RouteSource other) {
        return ORDER.compare(this, other);
    }

    VantagePoint vantagePoint() {
        return vantagePoint(router, peer);
    }

    static VantagePoint vantagePoint(String router, PeerEntry peer) {
        return new VantagePoint(
                router,
                Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                Integer.toUnsignedLong(peer.asn()));
    }

    /** Returns whether the route is in the RIB view of a peer, or in any view of the same peer. */
    boolean isOf(String ofRouter, PeerEntry of, boolean allViews) {
        return router.equals(ofRouter)
                && (peer.equals(of)
                        || allViews
                                && peer.peerType() == of.peerType()
                                && peer.distinguisher() == of.distinguisher()
                                && peer.ipv6() == of.ipv6()
                                && peer.addressHigh() == of.addressHigh()
                                && peer.addressLow() == of.addressLow());
    }
}
