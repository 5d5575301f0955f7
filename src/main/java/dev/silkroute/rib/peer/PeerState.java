package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.memory.Counter;
import org.jspecify.annotations.Nullable;

/**
 * A peer in one shard, with a {@link PeerView} for each RIB view that has had events. Only the shard's writer changes
 * it.
 */
public final class PeerState {
    public final RibPeer identity;
    public final RouterState router;
    public final Counter routes = new Counter();
    private volatile @Nullable PeerView[] views = new PeerView[RibView.values().length];
    /** AS number in the newest peer entry; not part of the identity. */
    public volatile int asn;

    PeerState(RibPeer identity, RouterState router) {
        this.identity = identity;
        this.router = router;
    }

    /** @param code {@link RibView#code} */
    @Nullable
    public PeerView view(int code) {
        return views[code];
    }

    /** Returns a view, adding it if absent. */
    public PeerView makeView(RibView view) {
        PeerView made = views[view.code()];
        if (made == null) {
            made = new PeerView(this, view);
            @Nullable PeerView[] more = views.clone();
            more[view.code()] = made;
            views = more;
        }
        return made;
    }
}
