package dev.silkroute.session;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.session.identity.RouterValues;
import java.net.InetAddress;

/**
 * Settings that all sessions of a collector share.
 *
 * @param collector name of this collector
 * @param maxPeers maximum number of peers of one session; messages of further peers are quarantined
 * @param addPath how the presence of path identifiers (RFC 7911) is determined
 * @param addPathOfRouters the same for single routers, each value the name of an {@link AddPathPolicy}
 * @param tableDumps when a table counts as complete although the router has not sent End-of-RIB
 */
public record SessionConfig(
        String collector,
        int maxPeers,
        AddPathPolicy addPath,
        RouterValues addPathOfRouters,
        TableDumpLimits tableDumps) {
    public SessionConfig {
        addPathOfRouters.values().forEach(AddPathPolicy::of);
    }

    public SessionConfig(String collector, int maxPeers) {
        this(collector, maxPeers, AddPathPolicy.HEURISTIC, RouterValues.NONE);
    }

    public SessionConfig(String collector, int maxPeers, AddPathPolicy addPath, RouterValues addPathOfRouters) {
        this(collector, maxPeers, addPath, addPathOfRouters, TableDumpLimits.NONE);
    }

    AddPathPolicy addPath(InetAddress router) {
        return addPathOfRouters.of(router).map(AddPathPolicy::of).orElse(addPath);
    }
}
