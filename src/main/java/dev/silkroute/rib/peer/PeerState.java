package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.memory.Counter;
import org.jspecify.annotations.Nullable;

/** A peer in one shard. */
public final class PeerState {
    public final RibPeer identity;
    public final RouterState router;
    public final Counter routes = new Counter();
    private volatile @Nullable PeerView[] views = new PeerView[RibView.values().length];
    /** As the newest entry has it; not part of the identity. */
    public volatile int asn;

    PeerState(RibPeer identity, RouterState router) {
        this.identity = identity;
        this.router = router;
    }

    @Nullable
    public PeerView view(int code) {
        return views[code];
    }

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
