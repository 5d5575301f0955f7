package dev.silkroute.alert.path;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.route.PathVerification;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.AspaVerdict;
import java.util.Optional;

/**
 * The AS path of a route that a neighbor has sent.
 *
 * @param role what the neighbor is for the router
 * @param neighborAsn unsigned
 */
public record ReceivedPath(NeighborRole role, int neighborAsn, AsPath path) {
    /** Returns whether ASPAs prove that the route is leaked or its path forged. */
    public boolean isInvalid(AspaTable aspas) {
        return PathVerification.verify(aspas, Optional.of(role), neighborAsn, path)
                .filter(verdict -> verdict == AspaVerdict.INVALID)
                .isPresent();
    }
}
