package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import org.jspecify.annotations.Nullable;

/** A peer in one shard. */
final class PeerState {
    final RibPeer identity;
    final RouterState router;
    final Count routes = new Count();
    private volatile @Nullable PeerView[] views = new PeerView[RibView.values().length];
    /** As the newest entry has it; not part of the identity. */
    volatile int asn;

    PeerState(RibPeer identity, RouterState router) {
        this.identity = identity;
        this.router = router;
    }

    @Nullable
    PeerView view(int code) {
        return views[code];
    }

    PeerView makeView(RibView view) {
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
