package dev.silkroute.rib.query;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;

/**
 * The routes of one family that a peer has in one view, over all shards, with current counters.
 *
 * @param peerAsn AS number of the peer, unsigned
 * @param family AFI and SAFI, see {@link dev.silkroute.net.Family}
 * @param stale the number of routes that the router's live session has not announced
 */
public record PeerRib(RibPeer peer, long peerAsn, RibView view, int family, long routes, long stale) {
    static PeerRib of(RibTable table) {
        return new PeerRib(
                table.peer(),
                Integer.toUnsignedLong(table.peerAsn()),
                table.view(),
                table.family(),
                table.routes(),
                table.stale());
    }

    /** Adds the part of another shard. */
    PeerRib with(PeerRib part) {
        return new PeerRib(peer, peerAsn, view, family, routes + part.routes, stale + part.stale);
    }
}
