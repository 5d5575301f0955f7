package dev.silkroute.session;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.session.identity.RouterValues;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;

/**
 * Settings that all sessions of a collector share.
 *
 * @param collector name of this collector
 * @param maxPeers maximum number of peers of one session; messages of further peers are quarantined
 * @param addPath how the presence of path identifiers (RFC 7911) is determined
 * @param addPathOfRouters the same for single routers, each value the name of an {@link AddPathPolicy}
 * @param neighborRoles the roles of peers whose sessions have no BGP Role (RFC 9234), by their AS
 * @param tableDumps when a table counts as complete although the router has not sent End-of-RIB
 */
public record SessionConfig(
        String collector,
        int maxPeers,
        AddPathPolicy addPath,
        RouterValues addPathOfRouters,
        Map<Integer, NeighborRole> neighborRoles,
        TableDumpLimits tableDumps) {
    public SessionConfig {
        addPathOfRouters.values().forEach(AddPathPolicy::of);
        neighborRoles = Map.copyOf(neighborRoles);
    }

    public SessionConfig(String collector, int maxPeers) {
        this(collector, maxPeers, AddPathPolicy.HEURISTIC, RouterValues.NONE);
    }

    public SessionConfig(String collector, int maxPeers, AddPathPolicy addPath, RouterValues addPathOfRouters) {
        this(collector, maxPeers, addPath, addPathOfRouters, Map.of(), TableDumpLimits.NONE);
    }

    Optional<NeighborRole> neighborRole(int asn) {
        return Optional.ofNullable(neighborRoles.get(asn));
    }

    AddPathPolicy addPath(InetAddress router) {
        return addPathOfRouters.of(router).map(AddPathPolicy::of).orElse(addPath);
    }
}
