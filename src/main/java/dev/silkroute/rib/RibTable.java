package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;

/** What a peer shows of one family in one view, as far as one shard has it. Numbers are those of the moment. */
public interface RibTable {
    RibPeer peer();

    /** AS number of the peer, read unsigned. */
    int peerAsn();

    RibView view();

    /** AFI and SAFI, see {@link dev.silkroute.net.Family}. */
    int family();

    long routes();

    /** Those of the routes that no live session has spoken of. */
    long stale();
}
