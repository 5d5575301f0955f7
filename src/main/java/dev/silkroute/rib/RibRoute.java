package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.PathAttributes;
import java.util.List;

/**
 * A route of the RIB as an object, made on demand from a {@link RouteView}: for REST, JSON and tests.
 *
 * @param peerAsn AS number of the peer
 * @param hasRd whether {@code rd} holds
 * @param nlri canonical text of the NLRI
 * @param isPrefix whether address and length hold
 * @param addressHigh upper half of an IPv6 address, 0 for IPv4
 * @param addressLow lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 * @param hasPathId whether {@code pathId} holds: none is not the same as 0
 * @param labels outermost first
 * @param marking see {@link dev.silkroute.bgp.PathMarking}
 * @param stale whether no live session has spoken of the route
 */
public record RibRoute(
        RibPeer peer,
        long peerAsn,
        RibView view,
        int family,
        boolean hasRd,
        long rd,
        String nlri,
        boolean isPrefix,
        long addressHigh,
        long addressLow,
        int prefixLength,
        boolean hasPathId,
        long pathId,
        List<Integer> labels,
        long marking,
        boolean stale,
        PathAttributes attributes) {}
