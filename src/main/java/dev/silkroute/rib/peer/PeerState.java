package dev.silkroute.rib.peer;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.state.RouterSession;
import java.util.HashMap;
import java.util.Map;
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
    /** The role of the peer for the router in its newest batch; not part of the identity. */
    public volatile @Nullable NeighborRole role;

    /** Bounds the memory for what a router sends. */
    private static final int MAX_ENDS = 1000;

    /** The bits of a key of {@link #endsOfRib} that contain the view. */
    private static final int VIEW = 7;

    /** The newest session with an End-of-RIB, by family and view; family 0 stands for all. For the writer only. */
    private final Map<Integer, Long> endsOfRib = new HashMap<>(4);

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

    /** A session has sent an End-of-RIB. @param viewOrAll negative for all views @param family 0 for all families */
    public void endOfRib(int viewOrAll, int family, long session) {
        for (RibView view : RibView.values()) {
            if ((viewOrAll < 0 || viewOrAll == view.code()) && endsOfRib.size() < MAX_ENDS) {
                endsOfRib.merge(key(view, family), session, Math::max);
            }
        }
        completeTables();
    }

    /** A Peer Down in a session: what it and older sessions have sent counts no longer. */
    public void forgetEndsOfRib(int viewOrAll, long session) {
        if (endsOfRib
                .entrySet()
                .removeIf(end -> (viewOrAll < 0 || viewOrAll == (end.getKey() & VIEW)) && end.getValue() <= session)) {
            completeTables();
        }
    }

    private void completeTables() {
        for (PeerView view : Registry.views(this, -1)) {
            for (Table table : view.tables()) {
                table.completeIn(endOfRib(view.view, table.family));
            }
        }
    }

    /** Returns the newest session with an End-of-RIB for a table, {@link RouterSession#NONE} if there is none. */
    long endOfRib(RibView view, int family) {
        return Math.max(
                endsOfRib.getOrDefault(key(view, family), RouterSession.NONE),
                endsOfRib.getOrDefault(key(view, 0), RouterSession.NONE));
    }

    private static int key(RibView view, int family) {
        return family << 3 | view.code();
    }
}
