package dev.silkroute.component.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RouteView;
import java.util.Comparator;

/**
 * One of the routes that a flow may get, ordered best first: by rank, then the newest session. The remaining order is
 * arbitrary but the same in every RIB with the same routes, whatever order they came in.
 *
 * @param rank how well the route fits the flow
 * @param pathId path identifier, -1 if there is none
 */
record FlowCandidate(int rank, long session, RibPeer peer, RibView view, long pathId)
        implements Comparable<FlowCandidate> {
    static final FlowCandidate NONE = new FlowCandidate(
            -1, Long.MIN_VALUE, new RibPeer("", 0, 0, false, 0, 0, 0), RibView.ADJ_RIB_IN_PRE_POLICY, -1);

    private static final Comparator<FlowCandidate> TIE_BREAK = Comparator.comparing(
                    (FlowCandidate one) -> one.peer.router())
            .thenComparing(one -> one.peer.ipv6())
            .thenComparing(one -> one.peer.addressHigh(), Long::compareUnsigned)
            .thenComparing(one -> one.peer.addressLow(), Long::compareUnsigned)
            .thenComparing(FlowCandidate::view)
            .thenComparingInt(one -> one.peer.peerType())
            .thenComparingLong(one -> one.peer.distinguisher())
            .thenComparingInt(one -> one.peer.bgpId())
            .thenComparingLong(FlowCandidate::pathId);

    static FlowCandidate of(RouteView route, int rank) {
        long pathId = route.hasPathId() ? Integer.toUnsignedLong(route.pathId()) : -1;
        return new FlowCandidate(rank, route.session(), route.peer(), route.view(), pathId);
    }

    @Override
    public int compareTo(FlowCandidate other) {
        int byRank = Integer.compare(other.rank, rank);
        int bySession = byRank != 0 ? byRank : Long.compare(other.session, session);
        return bySession != 0 ? bySession : TIE_BREAK.compare(this, other);
    }
}
