package dev.silkroute.rib.query;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;

/**
 * What a peer shows of one family in one view, in all shards, with its counters of the moment.
 *
 * @param peerAsn AS number of the peer, unsigned
 * @param family AFI and SAFI, see {@link dev.silkroute.net.Family}
 * @param stale those of the routes that no live session has spoken of
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

    /** The part of another shard together with this one. */
    PeerRib with(PeerRib part) {
        return new PeerRib(peer, peerAsn, view, family, routes + part.routes, stale + part.stale);
    }
}
