package dev.silkroute.route;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.net.Family;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.AspaVerification;
import java.util.Optional;

/**
 * Decides which AS paths are verified by ASPAs, and how (draft-ietf-sidrops-aspa-verification, Section 6): those of
 * unicast routes that a neighbor whose role is known has sent, so in Adj-RIB-In only. Stateless.
 */
public final class PathVerification {
    private PathVerification() {}

    /** Returns whether paths in a view are those that a neighbor has sent. */
    public static boolean isReceived(RibView view) {
        return view == RibView.ADJ_RIB_IN_PRE_POLICY || view == RibView.ADJ_RIB_IN_POST_POLICY;
    }

    /** Returns whether paths of a family are verified: IPv4 and IPv6 unicast, no labels and no VPNs. */
    public static boolean isVerified(int family) {
        return family == Family.IPV4_UNICAST || family == Family.IPV6_UNICAST;
    }

    /**
     * Verifies a path that a neighbor has sent.
     *
     * @param role what the neighbor is for the router; without it, the result is empty
     * @param neighborAsn unsigned. The path must begin with it, unless the neighbor is a route server
     * @return empty also if there are no ASPAs
     */
    public static Optional<AspaVerdict> verify(
            AspaTable aspas, Optional<NeighborRole> role, int neighborAsn, AsPath path) {
        return aspas.size() == 0 ? Optional.empty() : role.map(of -> verify(aspas, of, neighborAsn, path));
    }

    private static AspaVerdict verify(AspaTable aspas, NeighborRole role, int neighborAsn, AsPath path) {
        if (path.hasSet()) {
            return AspaVerdict.INVALID;
        }
        int[] asns = path.withoutRepetitions();
        if (role != NeighborRole.RS && (asns.length == 0 || asns[0] != neighborAsn)) {
            return AspaVerdict.INVALID;
        }
        return role == NeighborRole.PROVIDER
                ? AspaVerification.downstream(aspas, asns)
                : AspaVerification.upstream(aspas, asns);
    }
}
