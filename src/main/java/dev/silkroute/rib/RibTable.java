package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;

/** The routes of one family that a peer has in one view, as far as one shard holds them. Numbers are current values. */
public interface RibTable {
    RibPeer peer();

    /** AS number of the peer, read unsigned. */
    int peerAsn();

    RibView view();

    /** AFI and SAFI, see {@link dev.silkroute.net.Family}. */
    int family();

    long routes();

    /** The number of routes that the router's live session has not announced. */
    long stale();
}
