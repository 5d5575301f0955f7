package dev.silkroute.session;

import dev.silkroute.bgp.AddPathPolicy;
import java.net.InetAddress;

/**
 * What every session of a station shares.
 *
 * @param collector this station's name
 * @param names routers' configured names
 * @param maxPeers peers that one session may have; messages of further ones are quarantined
 * @param addPath who decides about path identifiers
 * @param addPathOfRouters the same for single routers: texts of {@link AddPathPolicy}
 * @param tableDumps when the station says End-of-RIB for a router
 */
public record SessionConfig(
        String collector,
        RouterValues names,
        int maxPeers,
        AddPathPolicy addPath,
        RouterValues addPathOfRouters,
        TableDumpLimits tableDumps) {

    public SessionConfig {
        addPathOfRouters.values().forEach(AddPathPolicy::of);
    }

    public SessionConfig(String collector, RouterValues names, int maxPeers) {
        this(collector, names, maxPeers, AddPathPolicy.HEURISTIC, RouterValues.NONE);
    }

    public SessionConfig(
            String collector, RouterValues names, int maxPeers, AddPathPolicy addPath, RouterValues addPathOfRouters) {
        this(collector, names, maxPeers, addPath, addPathOfRouters, TableDumpLimits.NONE);
    }

    AddPathPolicy addPath(InetAddress router) {
        return addPathOfRouters.of(router).map(AddPathPolicy::of).orElse(addPath);
    }
}
