package dev.silkroute.collector.gate;

import dev.silkroute.net.IpPrefix;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the admission of connections.
 *
 * @param balancers addresses of load balancers, whose connections begin with a PROXY protocol header
 * @param routers addresses that may open BMP sessions, compared with the router's own address; all if the list is empty
 * @param tls TLS on the connections, null for plain TCP
 */
public record RouterAccess(
        List<IpPrefix> balancers,
        List<IpPrefix> routers,
        @Nullable RouterTls tls) {
    /** Admits every address over plain TCP, without PROXY protocol. */
    public static final RouterAccess OPEN = new RouterAccess(List.of(), List.of(), null);

    public RouterAccess {
        balancers = List.copyOf(balancers);
        routers = List.copyOf(routers);
    }

    boolean isBalancer(InetAddress address) {
        return balancers.stream().anyMatch(balancer -> balancer.covers(address));
    }

    boolean allows(InetAddress router) {
        return routers.isEmpty() || routers.stream().anyMatch(allowed -> allowed.covers(router));
    }
}
